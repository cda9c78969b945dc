import type { LinkPreview } from '#contract/messages'
import { keyedStore } from '../../../ui/keyed-store.ts'

/** The links whose preview I just removed, by message id, until the server has confirmed it or I undo it. */
export const removedPreviews = keyedStore<readonly string[]>()

/** Hides the preview of a link, or shows it again. */
export function hidePreview(messageId: string, url: string, isHidden: boolean) {
  const others = (removedPreviews.get(messageId) ?? []).filter((it) => it !== url)
  const urls = isHidden ? [...others, url] : others
  removedPreviews.set(messageId, urls.length > 0 ? urls : undefined)
}

/** The previews that are not being removed. */
export function useWithoutRemoved(messageId: string, previews: readonly LinkPreview[]): readonly LinkPreview[] {
  const removed = removedPreviews.useAt(messageId)
  return removed ? previews.filter(({ url }) => !removed.includes(url)) : previews
}
