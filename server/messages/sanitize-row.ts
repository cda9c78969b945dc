import * as z from 'zod/mini'
import { Id, Time } from '#contract/ids'
import { Broadcast, Mention } from '#contract/mentions'
import type { MessageRow } from './message-rows.ts'

/** What the columns of a message hold that the database itself does not look into. */
const parts = {
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
}

const isEmpty = (value: unknown) => Array.isArray(value) && value.length === 0

const UNREADABLE = 'A part of this message cannot be shown'

/**
 * A row as it can be shown: what somebody edited by hand, or a later version wrote, is left out, so that it takes
 * neither its message nor the page around it along.
 */
export function soundRow(row: MessageRow): MessageRow {
  let sound = row
  for (const name of Object.keys(parts) as (keyof typeof parts)[])
    if (!isEmpty(row[name]) && !parts[name].safeParse(row[name]).success) sound = { ...sound, [name]: [] }
  if (row.broadcast !== null && !Broadcast.safeParse(row.broadcast).success) sound = { ...sound, broadcast: null }
  const isBare = sound !== row && row.content === '' && row.deletedAt === null
  return isBare ? { ...sound, content: UNREADABLE } : sound
}
