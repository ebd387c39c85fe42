import { basename } from 'node:path'
import { Interruption, LaunchError } from './launch-error.js'
import { run } from './run.js'

const watch = new URL('./watch-npm.js', import.meta.url)

/**
 * Runs npm in `root`, silently unless it fails; `onStart` receives its pid, `onReceived` how many bytes it has received.
 * It ends when this process ends, by SIGKILL too, and where it reaches no registry. Throws when npm cannot be started,
 * fails, or is interrupted; `remedy` ends the sentence of a failure.
 */
export async function npm(root, npmArgs, { onStart, onReceived, remedy }) {
  const { command, args, shell } = npmCommand()
  const { NODE_OPTIONS = '' } = process.env
  const env = { ...process.env, NODE_OPTIONS: `${NODE_OPTIONS} --import=${watch.href}` }
  // Its standard input ends with this process.
  const options = { cwd: root, shell, env, stdio: ['pipe', 'pipe', 'pipe'] }
  const output = []
  const end = await run(command, [...args, ...npmArgs], options, (child) => {
    onStart(child.pid)
    child.stdout.on('data', (chunk) => {
      const received = /^received (\d+)$/m.exec(chunk)?.[1]
      if (received === undefined) output.push(chunk)
      else onReceived(Number(received))
    })
    child.stderr.on('data', (chunk) => output.push(chunk))
  }).catch(({ message }) => {
    throw new LaunchError('notInstalled', `npm, which Node comes with, does not start: ${message}.`)
  })

  const signal = end.passedOn ?? end.signal
  if (signal !== null) throw new Interruption(signal)
  if (end.code === 0) return
  process.stderr.write(Buffer.concat(output))
  throw new LaunchError(
    'notInstalled',
    `The packages cannot be installed, as npm says above (it ended with ${end.code}): ${remedy}`,
  )
}

/** The path of the npm that started this process, if any: it avoids a search, and a shell on Windows. */
function npmCommand() {
  const { npm_execpath: npmPath, npm_node_execpath: nodePath } = process.env
  if (npmPath && nodePath && basename(npmPath) === 'npm-cli.js') {
    return { command: nodePath, args: [npmPath], shell: false }
  }
  const isWindows = process.platform === 'win32'
  return { command: isWindows ? 'npm.cmd' : 'npm', args: [], shell: isWindows }
}
