import type { PetstoreOptions } from '../../src/start-petstore.ts'

/** Texts by the names of files in the folder of a tool. */
export type Files = Record<string, string>

/** A program of others that is given the document of a store. */
export type Tool = {
  name: string
  /**
   * Run by a shell, with the commands of the packages on its PATH, in a folder with these files and with `openapi.json` and
   * `arazzo.json` of a store at `$BASE_URL`, whose key is `$KEY`. `$PORT` is a free one.
   */
  command: string
  files?: Files
  /** What it must print, and end with 0. */
  prints: RegExp
  store?: PetstoreOptions
  /** Fails where the tool is not installed; absent for those of the packages. */
  needs?: string
  /** A change of the files that must be noticed, by printing this, and without what is printed otherwise, or by another exit code. */
  fault?: { fault: string; change(files: Files): void; prints: RegExp }
}

/** A shell command behind `prism proxy`, which validates what passes it at http://127.0.0.1:$PORT. */
export const behindPrism = (command: string, options = '') => `
prism proxy openapi.json $BASE_URL --port $PORT ${options} & prism=$!
until curl -s -o /dev/null http://127.0.0.1:$PORT; do kill -0 $prism || exit 1; sleep 0.2; done
${command}
code=$?
kill $prism
exit $code`
