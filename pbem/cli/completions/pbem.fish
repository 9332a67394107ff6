# Completion of pbem for fish: `pbem completion fish --install` puts it where fish finds it.
function __pbem_complete
    set -l words (commandline -opc) (commandline -ct)
    pbem complete -- $words[2..-1] 2>/dev/null
end
complete -c pbem -f -a '(__pbem_complete)'
