/** Mutants of the limits of connections, and of what a stop does to connections. */
export const connectionMutants = [
  {
    fault: 'connections: keeps clients that never read their responses',
    edits: [
      {
        file: 'src/http/protocol/unread-responses.ts',
        find: 'now - connection.unread.sinceMs >= timeoutMs',
        replaceBy: 'now - connection.unread.sinceMs >= timeoutMs * 1e6',
      },
    ],
    tests: ['test/http/unread-responses.test.ts'],
  },
  {
    fault: 'connections: runs all requests of a connection at once',
    edits: [
      {
        file: 'src/http/protocol/requests.ts',
        find: 'const requestsMax = 16',
        replaceBy: 'const requestsMax = 160',
      },
    ],
    tests: ['test/http/many-requests.test.ts'],
  },
  {
    fault: 'connections: parses all that was read at once from a connection whose requests wait',
    edits: [
      {
        file: 'src/http/protocol/reading.ts',
        find: 'isPaused() ? pausedCode : result',
        replaceBy: 'result',
      },
    ],
    tests: ['test/http/many-requests.test.ts'],
  },
  {
    fault: 'connections: runs any number of pipelined requests of all connections',
    edits: [
      {
        file: 'src/http/protocol/requests.ts',
        find: 'const pipelinedMax = 64',
        replaceBy: 'const pipelinedMax = 6_400',
      },
    ],
    tests: ['test/http/many-requests.test.ts'],
  },
  {
    fault: 'connections: never stops counting pipelined requests of closed connections',
    edits: [
      {
        file: 'src/http/protocol/connections.ts',
        find: '      requests.forget(connection)\n',
        replaceBy: '',
      },
    ],
    tests: ['test/http/many-requests.test.ts'],
  },
  {
    fault: 'connections: starts a request whose connection was reset while it waited',
    edits: [
      {
        file: 'src/http/protocol/requests.ts',
        find: ' || socket.destroyed) return',
        replaceBy: ') return',
      },
    ],
    tests: ['test/http/many-requests.test.ts'],
  },
  {
    fault: 'connections: goes on reading from a connection whose requests wait',
    edits: [
      {
        file: 'src/http/protocol/reading.ts',
        find: 'const pauseBytes = 2 ** 30',
        replaceBy: 'const pauseBytes = 0',
      },
    ],
    tests: ['test/http/many-requests.test.ts'],
  },
  {
    fault: 'connections: serves more connections than the maximum',
    edits: [
      {
        file: 'src/http/protocol/places.ts',
        find: 'unkeyed.size + keyed.size >= connectionsMax',
        replaceBy: 'unkeyed.size + keyed.size > connectionsMax',
      },
    ],
    tests: ['test/http/connections-max.test.ts'],
  },
  {
    fault: 'connections: refuses health beyond the maximum of connections',
    edits: [
      {
        file: 'src/http/protocol/extra-connections.ts',
        find: 'if (healthPattern.test(originForm(request))) return false\n',
        replaceBy: '',
      },
    ],
    tests: ['test/http/connections-max.test.ts'],
  },
  {
    fault: 'connections: reads any number of connections beyond the maximum',
    edits: [
      {
        file: 'src/http/protocol/extra-connections.ts',
        find: 'const extraConnectionsMax = 32',
        replaceBy: 'const extraConnectionsMax = 3_200',
      },
    ],
    tests: ['test/http/connections-max.test.ts'],
  },
  {
    fault: 'connections: is ready while it stops',
    edits: [
      {
        file: 'src/app/health.ts',
        find: 'if (connections.isDraining()) throw stopping()\n',
        replaceBy: '',
      },
    ],
    tests: ['test/http/stop.test.ts'],
  },
  {
    fault: 'connections: keeps connections open that are used while it stops',
    edits: [
      {
        file: 'src/http/protocol/connections.ts',
        find: 'if (isDraining || connection.isExtra) endAfter',
        replaceBy: 'if (connection.isExtra) endAfter',
      },
    ],
    tests: ['test/http/stop.test.ts'],
  },
  {
    fault: 'connections: runs what follows the last request of a connection',
    edits: [
      {
        file: 'src/http/protocol/connections.ts',
        find: '    if (connection.isEnding) return\n',
        replaceBy: '',
      },
    ],
    tests: ['test/http/stop.test.ts'],
  },
  {
    fault: 'connections: drains stores in memory, whose tests hold idle connections',
    edits: [
      {
        file: 'src/config/config.ts',
        find: 'drainMs: isForgotten ? 0 : 500',
        replaceBy: 'drainMs: 500',
      },
    ],
    tests: ['test/http/stop.test.ts'],
  },
  {
    fault: 'connections: resets requests that have begun to arrive when it stops',
    edits: [
      {
        file: 'src/http/protocol/drain.ts',
        find: '  for (const server of servers) server.closeIdleConnections()\n',
        replaceBy: '  for (const { socket } of open) socket.destroy()\n',
      },
    ],
    tests: ['test/http/stop.test.ts'],
  },
  {
    fault: 'connections: loses the end of a response whose client continues sending',
    edits: [
      {
        file: 'src/http/protocol/connection.ts',
        find: '  socket.destroySoon = () => endPolitely(socket)\n',
        replaceBy: '',
      },
    ],
    tests: ['test/http/stop.test.ts'],
  },
  {
    fault: 'connections: closes the port between two clients that connect',
    edits: [
      {
        file: 'src/http/protocol/drain.ts',
        find: 'const quietChecksMin = 10',
        replaceBy: 'const quietChecksMin = 0',
      },
    ],
    tests: ['test/http/stop.test.ts'],
  },
  {
    fault: 'connections: does not continue reading after the last response',
    edits: [
      {
        file: 'src/http/protocol/end-politely.ts',
        find: '  socket._read(0)\n',
        replaceBy: '',
      },
    ],
    tests: ['test/http/stop.test.ts'],
  },
  {
    fault: 'connections: ignores a second signal',
    edits: [
      {
        file: 'src/app/service.ts',
        find: 'if (stopped) hurry.abort()\n',
        replaceBy: '',
      },
    ],
    tests: ['test/cli/stopping.test.ts'],
  },
  {
    fault: 'connections: starts a waiting request that has timed out',
    edits: [
      {
        file: 'src/http/protocol/requests.ts',
        find: '  if (connection.waiting?.request.complete === false) connection.waiting = undefined\n',
        replaceBy: '',
      },
    ],
    tests: ['test/http/many-requests.test.ts'],
  },
]
