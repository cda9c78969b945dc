import type { Message } from '#contract/messages'

/** Replies shown of a thread in the list of threads, until the reader asks for more or others arrive. */
const FIRST_SHOWN = 2

/** The `seq` from which a thread shows its replies at first; undefined without any. */
export function firstShownSeq(replies: readonly Message[]) {
  const existing = replies.filter(isShown)
  return existing.at(-FIRST_SHOWN)?.seq ?? existing[0]?.seq
}

/** The replies from a `seq` on; deleted ones do not count and are left out. */
export const shownFrom = (replies: readonly Message[], seq: number) =>
  replies.filter((reply) => isShown(reply) && reply.seq >= seq)

const isShown = ({ deletedAt }: Message) => deletedAt === null
