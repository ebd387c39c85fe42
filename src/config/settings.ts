import { rateLimitMax } from '../contract/schemas.ts'
import { readDatabase } from './database-address.ts'
import { readHosts } from './read-hosts.ts'
import {
  integer,
  notEmpty,
  oneOf,
  readBaseUrl,
  readContacts,
  readListenAddress,
  readOrigins,
  readPort,
  readProcesses,
  type Setting,
} from './read-setting.ts'

export type Environment = 'production' | 'staging'

const durationMaxMs = 9_999_999_999
/** Ten of the longest pages of events. */
const eventsMin = 1_000

/** All settings. */
export const settings = {
  environment: {
    name: 'PETSTORE_ENVIRONMENT',
    meaning: 'Which environment this process serves. Each has its own keys and data.',
    default: 'production',
    example: 'staging',
    read: oneOf<Environment>(['production', 'staging']),
  },
  host: {
    name: 'PETSTORE_HOST',
    meaning: 'The address to listen on. 0.0.0.0 or :: for all.',
    default: '127.0.0.1',
    example: '0.0.0.0',
    read: notEmpty,
  },
  port: {
    name: 'PETSTORE_PORT',
    meaning: 'The port to listen on; 0 for any free one.',
    default: '8080, for staging 8081',
    example: '9000',
    read: readPort,
  },
  database: {
    name: 'PETSTORE_DATABASE',
    meaning:
      'Where the data is: sqlite:PATH, sqlite::memory: for a store in memory, or postgres://… for one that several processes serve.',
    default: 'sqlite:data/production.db, for staging sqlite:data/staging.db',
    example: 'sqlite:/var/lib/petstore/pets.db',
    mayHoldPassword: true,
    read: readDatabase,
  },
  processes: {
    name: 'PETSTORE_PROCESSES',
    meaning:
      'How many processes serve a store on PostgreSQL, under one supervisor; auto for one per core.',
    default: 'one, without a supervisor',
    example: '4',
    read: readProcesses,
  },
  publicUrl: {
    name: 'PETSTORE_PUBLIC_URL',
    meaning:
      'The base address as clients see it, ending in /v1, for links and the OpenAPI document.',
    default: 'the host of the request; in the document the address that is listened on',
    example: 'https://pets.example.com/v1',
    read: readBaseUrl,
  },
  siblingUrl: {
    name: 'PETSTORE_SIBLING_URL',
    meaning:
      "The base address of the other environment, for the OpenAPI document's list of servers.",
    default:
      'http://127.0.0.1:8081/v1, for staging http://127.0.0.1:8080/v1; none with a public address, or for a store in memory',
    example: 'https://staging.pets.example.com/v1',
    read: readBaseUrl,
  },
  firstKeyFile: {
    name: 'PETSTORE_FIRST_KEY_FILE',
    meaning: 'Where the first key of a new store is written, mode 0600.',
    default:
      'printed on a terminal; otherwise a file beside the database, for PostgreSQL in data/ of the current folder, ending in .first-key',
    example: '/run/secrets/petstore-key',
    read: notEmpty,
  },
  logLevel: {
    name: 'PETSTORE_LOG_LEVEL',
    meaning:
      'The least important kind of line to log. Lines of requests are info, failures warn and error.',
    default: 'info',
    example: 'debug',
    read: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
  },
  accessLog: {
    name: 'PETSTORE_ACCESS_LOG',
    meaning:
      'Which requests get a line in the log: on for all, errors for those with a status from 400 on. A failure of the service always has one.',
    default: 'on; errors for a store in memory',
    example: 'errors',
    read: oneOf(['on', 'errors', 'off']),
  },
  slowRequestMs: {
    name: 'PETSTORE_SLOW_MS',
    meaning:
      'From which duration on a request has a line that says what it waited for, in milliseconds; 0 for none.',
    default: '1000; 0 for a store in memory',
    example: '200',
    read: integer(0, durationMaxMs),
  },
  corsOrigins: {
    name: 'PETSTORE_CORS_ORIGINS',
    meaning:
      'Origins whose pages may use the interface from a browser, separated by commas; * for all.',
    default: 'none',
    example: 'https://shop.example.com,https://admin.example.com',
    read: readOrigins,
  },
  console: {
    name: 'PETSTORE_CONSOLE',
    meaning:
      'Whether /console is served and, in a clone of the repository, built when it is first opened on this machine.',
    default: 'on',
    example: 'off',
    read: oneOf(['on', 'off']),
  },
  metricsAddress: {
    name: 'PETSTORE_METRICS_ADDRESS',
    meaning:
      'Where metrics are served for Prometheus, apart from the interface: HOST:PORT, or a port of 127.0.0.1.',
    default: 'not served',
    example: '127.0.0.1:9464',
    read: readListenAddress,
  },
  securityContacts: {
    name: 'PETSTORE_SECURITY_CONTACT',
    meaning:
      'Whom to tell of a vulnerability, for /.well-known/security.txt: addresses separated by commas, the preferred one first.',
    default: 'not served',
    example: 'mailto:security@example.com,https://example.com/security',
    read: readContacts,
  },
  headersTimeoutMs: {
    name: 'PETSTORE_HEADERS_TIMEOUT_MS',
    meaning: 'How long the header block of a request may take to arrive, in milliseconds.',
    default: '10000',
    example: '5000',
    read: integer(1, durationMaxMs),
  },
  requestTimeoutMs: {
    name: 'PETSTORE_REQUEST_TIMEOUT_MS',
    meaning: 'How long the rate of a body may be less than 1 KiB/s, in milliseconds.',
    default: '30000',
    example: '60000',
    read: integer(1, durationMaxMs),
  },
  responseTimeoutMs: {
    name: 'PETSTORE_RESPONSE_TIMEOUT_MS',
    meaning: 'How long a client may read nothing of a response, in milliseconds.',
    default: '30000',
    example: '60000',
    read: integer(1, durationMaxMs),
  },
  connectionsMax: {
    name: 'PETSTORE_CONNECTIONS_MAX',
    meaning: 'How many connections are served at once; then a new one replaces an idle one.',
    default: '1000',
    example: '5000',
    read: integer(1, 9_999_999),
  },
  streamsMax: {
    name: 'PETSTORE_STREAMS_MAX',
    meaning: 'How many streams of events are open at the same time; further ones are refused.',
    default: '500; half of PETSTORE_CONNECTIONS_MAX',
    example: '100',
    read: integer(1, 9_999_999),
  },
  drainMs: {
    name: 'PETSTORE_DRAIN_MS',
    meaning: 'How long a stop continues to serve open and new connections, in milliseconds.',
    default: '500; 0 for a store in memory',
    example: '10000',
    read: integer(0, durationMaxMs),
  },
  rateLimitPerSecond: {
    name: 'PETSTORE_RATE_LIMIT_PER_SECOND',
    meaning:
      'How many requests per second each key may send to this process, unless the key has a rateLimit of its own.',
    default: 'no limit',
    example: '50',
    read: integer(1, rateLimitMax),
  },
  rateLimitBurst: {
    name: 'PETSTORE_RATE_LIMIT_BURST',
    meaning: 'How many requests a key with a limit may send at once, after a pause.',
    default: 'as many as it may send in a second',
    example: '200',
    read: integer(1, rateLimitMax),
  },
  idempotencyKeysMax: {
    name: 'PETSTORE_IDEMPOTENCY_KEYS_MAX',
    meaning: 'How many results of Idempotency-Keys are stored for each key; further are refused.',
    default: '1000000',
    example: '100000',
    read: integer(1, 999_999_999),
  },
  idempotencyBytesMax: {
    name: 'PETSTORE_IDEMPOTENCY_BYTES_MAX',
    meaning: 'How much room the results of Idempotency-Keys may take for each key, in bytes.',
    default: '1073741824',
    example: '104857600',
    read: integer(1, 999_999_999_999_999),
  },
  idempotencyKeysTotalMax: {
    name: 'PETSTORE_IDEMPOTENCY_KEYS_TOTAL_MAX',
    meaning: 'How many results of Idempotency-Keys are stored for all keys.',
    default: '4000000',
    example: '1000000',
    read: integer(1, 999_999_999),
  },
  idempotencyBytesTotalMax: {
    name: 'PETSTORE_IDEMPOTENCY_BYTES_TOTAL_MAX',
    meaning: 'How much room the results of Idempotency-Keys may take for all keys, in bytes.',
    default: '4294967296',
    example: '1073741824',
    read: integer(1, 999_999_999_999_999),
  },
  orderHoldMs: {
    name: 'PETSTORE_ORDER_HOLD_MS',
    meaning: 'How long a pending order holds its pet before it expires, in milliseconds.',
    default: 'until it is shipped or cancelled',
    example: '900000',
    read: integer(1, durationMaxMs),
  },
  eventsKeepDays: {
    name: 'PETSTORE_EVENTS_KEEP_DAYS',
    meaning: 'How many days events are kept.',
    default: '30',
    example: '7',
    read: integer(1, 9_999),
  },
  eventsMax: {
    name: 'PETSTORE_EVENTS_MAX',
    meaning: 'How many events are kept; the oldest beyond them are deleted.',
    default: '10000000',
    example: '1000000',
    read: integer(eventsMin, 999_999_999),
  },
  deliveriesMax: {
    name: 'PETSTORE_DELIVERIES_MAX',
    meaning:
      'How many deliveries of webhooks are kept; beyond them the oldest that succeeded are deleted, then those that failed, then those that wait.',
    default: '1000000',
    example: '100000',
    read: integer(eventsMin, 999_999_999),
  },
  webhookHosts: {
    name: 'PETSTORE_WEBHOOK_HOSTS',
    meaning:
      'Hosts and networks that webhooks may be sent to although they are not public, also over http; separated by commas.',
    default: 'none; loopback for a store in memory',
    example: 'hooks.internal,10.0.0.0/8',
    read: readHosts,
  },
  spoolDirectory: {
    name: 'PETSTORE_SPOOL_DIRECTORY',
    meaning:
      'Where exports in progress are kept, in files that no folder shows; they are gone with the process.',
    default:
      "data, the folder of the database; the system's temporary folder for PostgreSQL and for a store in memory",
    example: '/var/tmp',
    read: notEmpty,
  },
  spoolMaxBytes: {
    name: 'PETSTORE_SPOOL_MAX_BYTES',
    meaning: 'How much space exports in progress may take; further ones are refused.',
    default: '4294967296',
    example: '1073741824',
    read: integer(1, 999_999_999_999_999),
  },
} as const satisfies Record<string, Setting<unknown>>
