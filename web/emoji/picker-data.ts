import data from '@emoji-mart/data'
import { SearchIndex } from 'emoji-mart'
import type { CustomEmoji } from '#contract/custom-emoji'

interface PickerEmoji {
  id: string
  name: string
  keywords: string[]
  skins: { src: string }[]
}

/** The picker's data, to which it adds as well. */
const shared = data as unknown as {
  emojis: Record<string, PickerEmoji>
  categories: { id: string; emojis: string[] }[]
}

/** The id of the category, which the picker's settings and texts name. */
export const WORKSPACE_CATEGORY = 'workspace'
const category = { id: WORKSPACE_CATEGORY, emojis: [] as string[] }
shared.categories.push(category)

let shown: readonly string[] = []

/** Whether the picker has an emoji of this id. One of the workspace may have been removed. */
export const isInPicker = (id: string) => Object.hasOwn(shared.emojis, id)

/**
 * Shows these emoji in pickers that are created from now on. The library's own setting cannot: it takes the emoji of the first
 * picker of a page, and keeps them.
 */
export function showInPicker(emoji: readonly CustomEmoji[]) {
  for (const name of shown) delete shared.emojis[name]
  // One of Unicode, in a later version of the data, has precedence.
  const listed = emoji.filter(({ name }) => !Object.hasOwn(shared.emojis, name))
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches
  for (const { name, aliases, url, stillUrl } of listed)
    shared.emojis[name] = { id: name, name, keywords: aliases, skins: [{ src: isStill ? stillUrl : url }] }
  shown = listed.map(({ name }) => name)
  category.emojis = [...shown]
  // Otherwise it would still find those that were removed.
  ;(SearchIndex as { reset: () => void }).reset()
}
