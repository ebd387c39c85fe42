/** What would trip a person at a terminal, or leave a process behind, each a mutant as mutants.ts has them. */
export const commandMutants = [
  {
    fault: 'package: others may write the folder that a Node is started from',
    edits: [
      {
        file: 'bin/launch/cache-folder.js',
        find: '{ recursive: true, mode: 0o700 }',
        replaceBy: '{ recursive: true, mode: 0o755 }',
      },
    ],
    tests: ['test/package.test.ts'],
  },
  {
    fault: 'package: installs other packages, though it carries them',
    edits: [
      {
        file: 'tools/package/manifest.ts',
        find: "publishConfig: { access: 'public', provenance: true },",
        replaceBy: 'dependencies: repository.dependencies,',
      },
    ],
    tests: ['test/package.test.ts'],
  },
  {
    fault: 'package: is published where the CI does not say from which repository',
    edits: [
      {
        file: 'tools/package/repository.ts',
        find: 'if (!value) throw',
        replaceBy: 'if (value === null) throw',
      },
    ],
    tests: ['test/package.test.ts'],
  },
  {
    fault: 'package: a start after the first fails where the package is installed read-only',
    edits: [
      {
        file: 'bin/launch/launch-installed.js',
        find: 'writeFileSync(unfinished, content)',
        replaceBy: 'writeFileSync(unfinished, content, { mode: 0o444 })',
      },
    ],
    tests: ['test/package.test.ts'],
  },
  {
    fault: 'startPetstore: a misspelt option is ignored',
    edits: [
      {
        file: 'src/start-petstore/petstore.ts',
        find: 'if (unknown === undefined) return',
        replaceBy: 'if (unknown !== null) return',
      },
    ],
    tests: ['test/cli/start-petstore.test.ts'],
  },
  {
    fault: 'test bench: expectRequests rounds integers beyond 2^53',
    edits: [
      {
        file: 'src/test-bench/handle.ts',
        find: 'undefined : parseJson(body)',
        replaceBy: 'undefined : JSON.parse(body)',
      },
    ],
    tests: ['test/test-bench/journal.test.ts'],
  },
  {
    fault: 'package: says of keys what works in the repository alone',
    edits: [
      {
        file: 'src/pages/reference/get-key.ts',
        find: 'command: `bin/petstore keys',
        replaceBy: 'command: ` bin/petstore keys',
      },
    ],
    tests: ['test/package.test.ts'],
  },
  {
    fault: 'commands: takes a Node whose SQLite is too old',
    edits: [
      {
        file: 'bin/launch/lack-of.js',
        find: 'if (!isAtLeast(versions.sqlite, sqliteMin)) {',
        replaceBy: 'if (versions.sqlite === undefined) {',
      },
    ],
    tests: ['test/launch.test.ts'],
  },
  {
    fault: 'commands: stays in front of the Node that it brings',
    edits: [
      {
        file: 'bin/launch/run.js',
        find: '  process.execve?.(binary, [binary, ...args], process.env)\n',
        replaceBy: '',
      },
    ],
    tests: ['test/launch.test.ts'],
  },
  {
    fault: 'commands: a command outlives its launcher',
    edits: [
      {
        file: 'bin/petstore.ts',
        find: "process.connected && args[0] !== 'serve'",
        replaceBy: 'process.connected === undefined',
      },
    ],
    tests: ['test/cli/executable.test.ts'],
  },
  {
    fault: 'commands: a store outlives the process that holds its standard input',
    edits: [
      {
        file: 'src/cli/serve.ts',
        find: 'process.stdin.once(event, stop)',
        replaceBy: 'process.stdin.once(event, () => {})',
      },
    ],
    tests: ['test/cli/serve.test.ts'],
  },
  {
    fault: 'commands: a command waits for the end of its launcher',
    edits: [{ file: 'bin/petstore.ts', find: '  process.channel?.unref()\n', replaceBy: '' }],
    tests: ['test/cli/executable.test.ts'],
  },
  {
    fault: 'commands: config prints an address without its parameters',
    edits: [
      {
        file: 'src/config/config.ts',
        find: 'withoutPassword(value.text)',
        replaceBy: 'value.name',
      },
    ],
    tests: ['test/cli/config.test.ts'],
  },
  {
    fault: 'commands: config prints a password that is a parameter',
    edits: [
      {
        file: 'src/config/settings.ts',
        find: '/password/i.test(decoded(name))',
        replaceBy: '/password/.test(name)',
      },
    ],
    tests: ['test/cli/config.test.ts'],
  },
  {
    fault: 'commands: puts the first key of PostgreSQL into the current folder',
    edits: [
      {
        file: 'src/app/first-key.ts',
        find: "const dataDirectory = 'data'",
        replaceBy: "const dataDirectory = '.'",
      },
    ],
    tests: ['test/cli/first-key.test.ts'],
  },
  {
    fault: 'commands: lists keys in lines of any width',
    edits: [
      { file: 'src/cli/table.ts', find: 'const widthMax = 80', replaceBy: 'const widthMax = 800' },
    ],
    tests: ['test/cli/keys.test.ts'],
  },
  {
    fault: 'commands: adds demo pets at each start',
    edits: [
      {
        file: 'src/app/service.ts',
        find: 'if (contents.length === 0)',
        replaceBy: 'if (contents.length >= 0)',
      },
    ],
    tests: ['test/cli/seed.test.ts'],
  },
  {
    fault: 'commands: help of what is no command succeeds',
    edits: [
      {
        file: 'src/cli/main.ts',
        find: "const rest = args[0] === 'help'",
        replaceBy: "const rest = args[0] === 'no help'",
      },
    ],
    tests: ['test/cli/help.test.ts'],
  },
  {
    fault: 'commands: a page is wider than a terminal',
    edits: [{ file: 'src/cli/help.ts', find: 'const width = 80', replaceBy: 'const width = 90' }],
    tests: ['test/cli/help.test.ts'],
  },
  {
    fault: 'commands: says that a key is shown where it is not',
    edits: [
      {
        file: 'src/cli/keys.ts',
        find: 'const isShown = process.stdout.isTTY',
        replaceBy: 'const isShown = true',
      },
    ],
    tests: ['test/cli/keys.test.ts'],
  },
]
