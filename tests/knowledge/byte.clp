; Byte by tops, heights and neighbours.
;
; The same as byte.rules: both give every position the same value. What the rules language asks of
; the state is derived here from the facts that every game has; what needs `not` waits, by its
; salience, until all that it depends on is there.

(deffunction row-of (?cell)                     ; A1 is in row 1
  (str-index (sub-string 1 1 ?cell) "ABCDEFGHIJKLMNOP"))

; Everything counts for me, and the other way round for the opponent.
(defrule counts-for-me       (me ?p)       => (assert (sign ?p 1)))
(defrule counts-against-me   (opponent ?p) => (assert (sign ?p -1)))

(defrule stack-height
  (height ?c ?h&:(> ?h 0))
  =>
  (assert (tall-stack ?c ?h)))

(defrule stacks-beside
  (tall-stack ?c ?) (next ?c ?d) (tall-stack ?d ?)
  =>
  (assert (stacks-beside ?c ?d)))

; A checker at level k goes with all above it onto a stack that is higher than k.
(defrule can-go
  (on ?c checker ?p ?k) (stacks-beside ?c ?d) (tall-stack ?c ?h) (tall-stack ?d ?g&:(> ?g ?k))
  (test (<= (- (+ ?g ?h) ?k) 8))
  =>
  (assert (can-go ?p ?c ?d)))

(defrule can-end
  (on ?c checker ?p ?k) (stacks-beside ?c ?d) (tall-stack ?c ?h) (tall-stack ?d ?g&:(> ?g ?k))
  (test (= (- (+ ?g ?h) ?k) 8))
  =>
  (assert (can-end ?p ?c ?d)))

(defrule can-finish  (can-end ?p ?c ?) (top ?c checker ?p)  => (assert (can-finish ?p)))
(defrule is-urgent   (can-finish ?p) (mover ?p)  => (assert (is-urgent ?p)))

(defrule is-tall     (tall-stack ?c ?h&:(>= ?h 4))  => (assert (is-tied ?c)))
(defrule is-tied     (is-tied ?c) (stacks-beside ?c ?d)  => (assert (is-tied ?d)))

(defrule crowded-stack
  (stacks-beside ?c ?a) (stacks-beside ?c ?b&~?a) (stacks-beside ?c ?d&~?a&~?b)
  =>
  (assert (crowded-stack ?c)))
(defrule is-crowded  (crowded-stack ?c) (top ?c checker ?p)  => (assert (is-crowded ?p ?c)))

; What is not.

(defrule only-gives
  (declare (salience -10))
  (can-end ?p ? ?) (not (can-finish ?p))
  =>
  (assert (only-gives ?p)))

(defrule is-blocked
  (declare (salience -10))
  (stacks-beside ?c ?) (not (can-go ? ?c ?))
  =>
  (assert (is-blocked ?c)))

(defrule is-lonely
  (declare (salience -10))
  (tall-stack ?c ?) (not (stacks-beside ?c ?))
  =>
  (assert (is-lonely ?c)))

(defrule is-held
  (declare (salience -20))
  (top ?c checker ?p) (is-tied ?c) (not (is-blocked ?c))
  =>
  (assert (is-held ?p ?c)))

(defrule does-fit
  (top ?c checker ?p) (tall-stack ?c ?h) (stacks-beside ?c ?d) (tall-stack ?d ?g&:(= (+ ?h ?g) 8))
  =>
  (assert (does-fit ?p ?c)))

; What it is worth.

(defrule worth-of-eights
  (sign ?p ?s) (var bytes ?p ?n)
  =>
  (assert (worth (* ?s 100 ?n) "stacks of eight" ?p)))

(defrule worth-of-tops
  (sign ?p ?s) (top ?c checker ?p) (tall-stack ?c ?h)
  =>
  (assert (worth (* ?s ?h) "tops" ?c)))

(defrule worth-of-finishing
  (sign ?p ?s) (can-finish ?p)
  =>
  (assert (worth (* ?s 25) "a stack can be finished" ?p)))

(defrule worth-of-finishing-now
  (sign ?p ?s) (is-urgent ?p)
  =>
  (assert (worth (* ?s 60) "a stack is finished next" ?p)))

(defrule worth-of-giving
  (sign ?p ?s) (only-gives ?p)
  =>
  (assert (worth (* ?s -9) "only the other gets a stack" ?p)))

(defrule worth-of-ways
  (sign ?p ?s) (can-end ?p ?c ?d)
  =>
  (assert (worth (* ?s 4) "ways to make eight" ?c ?d)))

(defrule worth-of-fitting
  (sign ?p ?s) (does-fit ?p ?c)
  =>
  (assert (worth (* ?s (+ 3 (mod (row-of ?c) 2))) "two stacks that make eight" ?c)))

(defrule worth-of-holding
  (sign ?p ?s) (is-held ?p ?c)
  =>
  (assert (worth (* ?s 2) "tops among tall stacks" ?c)))

(defrule worth-of-neighbours
  (sign ?p ?s) (is-crowded ?p ?c)
  =>
  (assert (worth ?s "tops with many neighbours" ?c)))

(defrule worth-of-roaming
  (sign ?p ?s) (on ?c checker ?p 0) (is-lonely ?c)
  =>
  (assert (worth (* ?s -2) "men far from all others" ?c)))
