#!/bin/sh
# RUSTC_WRAPPER that counts what tests run, of the crates that read input alone: all others build as ever.
rustc=$1
shift
for argument in "$@"; do
    case $argument in
    model-files/*.rs | run-files/*.rs | cli/*.rs | mesh/*.rs)
        exec "$rustc" "$@" -C instrument-coverage
        ;;
    esac
done
exec "$rustc" "$@"
