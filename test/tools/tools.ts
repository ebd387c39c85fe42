import { clients } from './checks/clients.ts'
import { int64Clients } from './checks/int64.ts'
import { int64Languages } from './checks/int64-languages.ts'
import { int64Others } from './checks/int64-others.ts'
import { parsers } from './checks/parsers.ts'
import { patterns } from './checks/patterns.ts'
import { postman } from './checks/postman.ts'
import { prism } from './checks/prism.ts'
import { redocly } from './checks/redocly.ts'
import { respect } from './checks/respect.ts'
import { spectral } from './checks/spectral.ts'
import type { Tool } from './harness/tool.ts'

export const tools: Tool[] = [
  spectral,
  redocly,
  respect,
  parsers,
  prism,
  ...clients,
  postman,
  patterns,
  ...int64Clients,
  ...int64Languages,
  ...int64Others,
]
