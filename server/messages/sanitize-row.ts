import * as z from 'zod/mini'
import { Id, Time } from '#contract/ids'
import { Broadcast, Mention } from '#contract/mentions'
import { StoredPreview } from './message-previews.ts'

interface Row {
  content: string
  deletedAt: string | null
  files: unknown
  mentions: unknown
  reactions: unknown
  broadcast: unknown
  previews: unknown
}

/** The JSON columns of a message, whose shape the database does not check. */
const jsonColumns = {
  files: z.array(
    z.object({
      id: Id,
      name: z.string(),
      type: z.string(),
      size: z.int(),
      width: z.nullable(z.int()),
      height: z.nullable(z.int()),
      thumbnailSize: z.nullable(z.int()),
      createdAt: Time,
    }),
  ),
  mentions: z.array(Mention),
  reactions: z.array(z.object({ emoji: z.string(), count: z.int(), userIds: z.array(z.string()) })),
  previews: z.nullable(z.array(StoredPreview)),
}

const isEmpty = (value: unknown) => Array.isArray(value) && value.length === 0

const UNREADABLE_TEXT = "A part of this message can't be shown"

/**
 * Empties the columns of a message that cannot be parsed, because somebody edited them by hand or a later version wrote them.
 * Otherwise one such message would fail its whole page.
 */
export function sanitizeRow<Stored extends Row>(row: Stored): Stored {
  let sanitized = row
  for (const name of Object.keys(jsonColumns) as (keyof typeof jsonColumns)[])
    if (!isEmpty(row[name]) && !jsonColumns[name].safeParse(row[name]).success) sanitized = { ...sanitized, [name]: [] }
  if (row.broadcast !== null && !Broadcast.safeParse(row.broadcast).success)
    sanitized = { ...sanitized, broadcast: null }
  const isBlank = sanitized !== row && row.content === '' && row.deletedAt === null
  return isBlank ? { ...sanitized, content: UNREADABLE_TEXT } : sanitized
}
