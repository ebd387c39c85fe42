import { usageError } from '../config/exit-error.ts'

/** Each asks `petstore complete` for the words that may stand in place of the last one. */
const scripts: Record<string, string> = {
  bash: `_petstore() {
  local IFS=$'\\n'
  COMPREPLY=($(petstore complete bash "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _petstore petstore
`,
  zsh: `#compdef petstore
_petstore() {
  local -a found
  found=(\${(f)"$(petstore complete zsh "\${(@)words[2,CURRENT]}" 2>/dev/null)"})
  if (( $#found )); then compadd -a found; else _files; fi
}
compdef _petstore petstore
`,
  fish: `function __petstore_complete
  set -l words (commandline -opc) (commandline -ct)
  set -l found (petstore complete fish $words[2..] 2>/dev/null)
  if set -q found[1]
    printf '%s\\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c petstore -f -a '(__petstore_complete)'
`,
}

/** `completion`: prints the script of a shell. Throws `usage`. */
export function completionCommand(_flags: unknown, shell = ''): number {
  const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined
  if (script === undefined) throw usageError('Say which shell: bash, zsh or fish.')
  process.stdout.write(script)
  return 0
}
