import * as z from 'zod/mini'
import { Id } from '#contract/ids'
import type { LinkPreview } from '#contract/messages'

/** A preview in a message's row. */
export const StoredPreview = z.object({
  url: z.string(),
  title: z.string(),
  description: z.string(),
  site: z.string(),
  picture: z.nullable(z.object({ fileId: Id, width: z.int(), height: z.int() })),
  /** The author does not want it, whatever the text says later. */
  isRemoved: z.optional(z.boolean()),
})
export type StoredPreview = z.output<typeof StoredPreview>

/** Removed previews that a message remembers. */
const MAX_REMOVED = 10

/** The column of a message. */
export const previewColumn = (previews: StoredPreview[]) => {
  const forgotten = previews.filter(({ isRemoved }) => isRemoved).slice(0, -MAX_REMOVED)
  const kept = previews.filter((preview) => !forgotten.includes(preview))
  return { previews: kept.length > 0 ? JSON.stringify(kept) : null }
}

interface Row {
  content: string
  previews: StoredPreview[] | null
  deletedAt: string | null
}

/** A message that a node of the previous version edited or deleted still has all previews. */
export function presentPreviews({ content, previews, deletedAt }: Row) {
  const isShown = ({ url, isRemoved }: StoredPreview) => !isRemoved && content.includes(url)
  const shown = deletedAt === null && previews ? previews.filter(isShown) : []
  return shown.length > 0 && { previews: shown.map(presentPreview) }
}

const presentPreview = ({ url, title, description, site, picture }: StoredPreview): LinkPreview => ({
  url,
  title,
  description,
  site,
  picture: picture && { url: `/api/previews/${picture.fileId}`, width: picture.width, height: picture.height },
})
