# Completion of pbem for PowerShell: `pbem completion powershell --install` has it read by the profile.
Register-ArgumentCompleter -Native -CommandName pbem -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @($commandAst.CommandElements | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
    if (-not $wordToComplete) { $words += '""' }
    pbem complete '--' @words 2>$null | ForEach-Object {
        $text = if ($_ -match "[\s;']") { "'" + ($_ -replace "'", "''") + "'" } else { $_ }
        [System.Management.Automation.CompletionResult]::new($text, $_, 'ParameterValue', $_)
    }
}
