import type { Message } from '#contract/messages'
import { keyedStore } from '../../../ui/keyed-store.ts'

/** Messages that I deleted, also when the server knows it. */
export const deleted = keyedStore<true>()

/** Whether a message is deleted, or will be unless I take it back. */
export const useIsDeleted = ({ id, deletedAt }: Message) => deleted.useAt(id) === true || deletedAt !== null

export const isDeleted = ({ id, deletedAt }: Message) => deleted.get(id) === true || deletedAt !== null
