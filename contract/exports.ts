import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { fieldProblem } from './errors.ts'
import { Id, Time } from './ids.ts'

/**
 * `mine`: my profile, my messages and files, and the conversations I am in. `channel`: one that I own. `workspace`:
 * everything its owner may read.
 */
export const exportScopes = ['mine', 'channel', 'workspace'] as const
export type ExportScope = (typeof exportScopes)[number]

export const exportStates = ['queued', 'running', 'done', 'failed'] as const

/** An archive of mine: a ZIP with data as JSON lines, pages to read without a server, and the files. */
export const Export = z.object({
  id: Id,
  scope: z.enum(exportScopes),
  /** For `channel`; null if I can no longer read it. */
  channel: z.nullable(z.object({ id: Id, name: z.string() })),
  state: z.enum(exportStates),
  /** Messages exported so far, and the estimated total. */
  messages: z.int(),
  total: z.int(),
  /** Bytes of the archive, once it is done. */
  size: z.nullable(z.int()),
  createdAt: Time,
  finishedAt: z.nullable(Time),
  /** When the archive is deleted. */
  expiresAt: z.nullable(Time),
})
export type Export = z.output<typeof Export>

export const listExports = endpoint({
  method: 'GET',
  path: '/api/exports',
  summary: 'My exports, newest first.',
  reply: z.array(Export),
})

export const createExport = endpoint({
  method: 'POST',
  path: '/api/exports',
  summary:
    'Export what I may read: my own data, a channel that I own, or, as the workspace’s owner, all of it. One at a time; the oldest archive goes when there are too many.',
  body: z.object({
    scope: z.enum(exportScopes, fieldProblem('errors.notOneOf', { options: exportScopes.join(', ') })),
    channelId: z.optional(Id),
  }),
  status: 201,
  reply: Export,
})

const one = z.object({ exportId: Id })

export const deleteExport = endpoint({
  method: 'DELETE',
  path: '/api/exports/:exportId',
  summary: 'Cancel an export of mine, or delete its archive.',
  params: one,
  status: 204,
  reply: z.undefined(),
})

export const downloadExport = endpoint({
  method: 'GET',
  path: '/api/exports/:exportId/archive',
  summary: 'The archive of an export of mine; parts by `Range`.',
  params: one,
  gives: 'application/zip',
  alsoStatus: [206, 304],
  reply: z.string(),
})
