import type { ScheduledMessage } from '#contract/scheduled-messages'
import { onSignOut } from '../../../session/sign-out-tasks.ts'
import { confirmBeforeUnload } from '../../../ui/device/before-leaving.ts'
import { keyedStore } from '../../../ui/keyed-store.ts'

/** An open editor of a scheduled message. */
export interface ScheduledEdit {
  /** As it was when the edit began. */
  item: ScheduledMessage
  text: string
}

/** The open editors by the id of their message: what is written stays when the page, the row or the message is gone. */
const edits = keyedStore<ScheduledEdit>()

export const useScheduledEdit = edits.useAt
export const setScheduledEdit = edits.set
export const watchEdits = edits.watch
export const openEdits = () => edits.keys().flatMap((id) => edits.get(id) ?? [])

confirmBeforeUnload(() => openEdits().some(({ item, text }) => text !== item.content))

onSignOut({
  forget() {
    for (const id of edits.keys()) edits.set(id)
  },
})
