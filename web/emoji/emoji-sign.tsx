import type { CustomEmoji } from '#contract/custom-emoji'
import { customIn, isCustom, useCustomEmoji } from './custom-emoji.ts'

/** The emoji of a reaction or a status: as it is, or the picture of one of the workspace. A removed one is text, shortened. */
export function EmojiSign({ emoji }: { emoji: string }) {
  const custom = customIn(emoji, useCustomEmoji())
  if (custom) return <EmojiPicture emoji={custom} text={emoji} />
  if (!isCustom(emoji)) return emoji
  return (
    <bdi className="gone-emoji" title={emoji}>
      {emoji}
    </bdi>
  )
}

interface Props {
  emoji: CustomEmoji
  /** What is copied and read aloud in its place, such as `:name:`. */
  text: string
}

/** As wide as high, so that the text doesn't move when it has loaded. It doesn't move for those who want less motion. */
export function EmojiPicture({ emoji: { url, stillUrl }, text }: Props) {
  return (
    <span className="custom-emoji" title={text}>
      <picture>
        <source srcSet={stillUrl} media="(prefers-reduced-motion: reduce)" />
        <img src={url} alt="" draggable={false} decoding="async" loading="lazy" />
      </picture>
      <span className="sr-only">{text}</span>
    </span>
  )
}
