# Completion of pbem for bash: `pbem completion bash --install` puts it where bash-completion finds it.
_pbem() {
    local line
    COMPREPLY=()
    while IFS= read -r line; do # each as it is: "[x].toml" is a name and no pattern
        COMPREPLY+=("$line")
    done < <(pbem complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
    compopt -o filenames 2>/dev/null # candidates with blanks are quoted
}
complete -F _pbem pbem
