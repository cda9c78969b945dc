import type { Message } from '#contract/messages'

/** How many replies the list of threads shows per thread, until the reader asks for more or new ones arrive. */
const FIRST_SHOWN = 2

/** The `seq` of the first reply shown initially; undefined without replies. */
export function firstShownSeq(replies: readonly Message[]) {
  const existing = replies.filter(isShown)
  return existing.at(-FIRST_SHOWN)?.seq ?? existing[0]?.seq
}

/** The replies from a `seq` on; deleted ones do not count and are left out. */
export const shownFrom = (replies: readonly Message[], seq: number) =>
  replies.filter((reply) => isShown(reply) && reply.seq >= seq)

const isShown = ({ deletedAt }: Message) => deletedAt === null
