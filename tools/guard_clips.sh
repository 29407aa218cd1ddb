#!/bin/sh
# Makes one object of the CLIPS library that takes memory from clips_heap.c, has no files and cannot
# end the program: guard_clips.sh LIBCLIPS.a OBJECT.o
# Of its own names only those that src/knowledge calls can be seen.
set -eu
names="
AssertCommand
CloseStringSource
CreateEnvironment
CreateImpliedDeftemplate
DivideByZeroErrorMessage
EnvAddDouble
EnvAddLong
EnvAddPeriodicFunction
EnvAddRouterWithContext
EnvAddSymbol
EnvArgCountCheck
EnvArgTypeCheck
EnvAssert
EnvCreateFact
EnvCreateMultifield
EnvDeleteInstance
EnvFactDeftemplate
EnvFactIndex
EnvFindDefinstances
EnvFindDefmodule
EnvFindDeftemplate
EnvGetDeftemplateName
EnvGetFactDuplication
EnvGetFactPPForm
EnvGetFactSlot
EnvGetNextFact
EnvPrintRouter
EnvPutFactSlot
EnvReset
EnvRtnArgCount
EnvRun
EnvSetCurrentModule
EnvSetFactDuplication
EnvSetParserErrorCallback
EnvSetParsingFileName
EnvUndefinstances
FindFunction
GetEnvironmentContext
GetEnvironmentRouterContext
GetFunctionList
LoadConstructsFromLogicalName
OpenStringSource
PrintErrorID
ReturnExpression
SavePPBuffer
SetEnvironmentContext
SetEvaluationError
SetHaltExecution
SetPPBufferStatus
SetPrintWhileLoading
"
keep=
for name in $names; do
    keep="$keep --keep-global-symbol=$name"
done
ld -r --whole-archive "$1" -o "$2"
# shellcheck disable=SC2086 # a list of words
objcopy $keep \
    --redefine-sym malloc=clips_malloc \
    --redefine-sym free=clips_free \
    --redefine-sym exit=clips_exit \
    --redefine-sym fopen=clips_fopen \
    --redefine-sym remove=clips_remove \
    --redefine-sym rename=clips_rename \
    --redefine-sym setlocale=clips_setlocale \
    "$2"
