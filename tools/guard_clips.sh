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
CreateMultifield2
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
EnvFalseSymbol
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
EvaluateExpression
ExpectedTypeError1
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
SortFunction
StoreInMultifield
"
keep=
for name in $names; do
    keep="$keep --keep-global-symbol=$name"
done
# What its files call of one another and clips_limits.c does or watches.
ld -r --wrap=EvaluateExpression --wrap=EnvAddSymbol --wrap=CreateMultifield2 \
    --wrap=StoreInMultifield --wrap=PPCRAndIndent --whole-archive "$1" -o "$2"
# shellcheck disable=SC2086 # a list of words
objcopy $keep \
    --redefine-sym malloc=clips_malloc \
    --redefine-sym free=clips_free \
    --redefine-sym exit=clips_exit \
    --redefine-sym fopen=clips_fopen \
    --redefine-sym remove=clips_remove \
    --redefine-sym rename=clips_rename \
    --redefine-sym setlocale=clips_setlocale \
    --redefine-sym __wrap_EvaluateExpression=clips_evaluate \
    --redefine-sym __wrap_EnvAddSymbol=clips_add_symbol \
    --redefine-sym __wrap_CreateMultifield2=clips_create_multifield \
    --redefine-sym __wrap_StoreInMultifield=clips_store_multifield \
    --redefine-sym __wrap_PPCRAndIndent=clips_new_line \
    "$2"
