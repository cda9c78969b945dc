import type { Message } from '#contract/messages'
import { keyedStore } from '../../../ui/keyed-store.ts'

/** Ids of messages that I deleted, before and after the server confirmed it. */
export const deleted = keyedStore<true>()

/** Whether a message is deleted, or will be unless I undo it. */
export const useIsDeleted = ({ id, deletedAt }: Message) => deleted.useAt(id) === true || deletedAt !== null

export const isDeleted = ({ id, deletedAt }: Message) => deleted.get(id) === true || deletedAt !== null
