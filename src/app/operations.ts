import type { Operation } from '../contract/operation.ts'
import { eventTypes } from '../features/event-types.ts'
import { features } from '../features/features.ts'
import type { DeclaredScope } from '../features/scopes.ts'
import type { Implementation } from '../http/implement.ts'
import { getDocumentOperation } from '../openapi/get-document.ts'
import { getSecurityTextOperation } from '../openapi/get-security-text.ts'
import { getWorkflows } from '../openapi/get-workflows.ts'

const modules = await Promise.all(features.map(({ operations }) => operations?.()))

/** The operations of all features, in their order. A scope that no feature declares does not compile. */
export const operations: readonly Implementation<DeclaredScope | 'anyKey' | 'public'>[] =
  modules.flatMap((module) => {
    if (!module) return []
    return 'operationsOn' in module ? module.operationsOn(eventTypes) : [...module.operations]
  })

/** What the document describes: those, the document itself, the workflows, and the contact for vulnerabilities. */
export const contract: readonly Operation[] = [
  ...operations.map(({ operation }) => operation),
  getDocumentOperation,
  getWorkflows.operation,
  getSecurityTextOperation,
]
