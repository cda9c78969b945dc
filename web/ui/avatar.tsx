import { Sparkles } from 'lucide-react'
import { useState } from 'react'
import { initialsOf } from './initials.ts'
import { personColor } from './person-color.ts'
import { pictureOf, useColor, usePicture, usePictureRetries } from './pictures.ts'

/** The assistant has an icon instead of initials. */
const ASSISTANT = 'assistant-bot'

interface Props {
  id: string
  name: string
  /** The number of their colour, if it is known before the directory is. */
  color?: number | null | undefined
  /** 16 px before a name, 20 px in rows of names, 28 px in bars, 36 px in messages, 56 px alone. */
  size?: 'xs' | 's' | 'm' | 'l' | 'xl'
}

const sizes = {
  xs: 'size-4 rounded-[5px] text-[9.5px]',
  s: 'size-5 rounded-s text-[11px]',
  m: 'size-7 rounded-m text-[11px]',
  l: 'size-9 rounded-[10px] text-ui',
  xl: 'size-14 rounded-xl text-title',
}

/** A person's picture, or initials on their own color while it loads or if there is none. Small ones show one initial. */
export function Avatar({ id, name, color, size = 'l' }: Props) {
  const known = useColor(id)
  const isAssistant = id === ASSISTANT
  return (
    <span
      aria-hidden="true"
      className={`relative grid flex-none select-none place-items-center overflow-hidden font-[620] text-[#fff] ${sizes[size]}`}
      style={{ background: isAssistant ? 'var(--assistant)' : personColor(id, known ?? color) }}
    >
      {isAssistant ? (
        <Sparkles className="size-[72%]" strokeWidth={2} />
      ) : (
        initialsOf(name, size === 'xs' || size === 's' ? 1 : 2)
      )}
      {!isAssistant && <Picture id={id} isLarge={size === 'xl'} />}
    </span>
  )
}

function Picture({ id, isLarge }: { id: string; isLarge: boolean }) {
  const url = usePicture(id)
  const attempt = `${url} ${usePictureRetries()}`
  const [failed, setFailed] = useState<string>()
  if (!url || attempt === failed) return null
  return (
    <img
      // A new picture starts over the initials again.
      key={url}
      src={pictureOf(url, isLarge ? 96 : 48)}
      srcSet={`${pictureOf(url, isLarge ? 256 : 96)} 2x`}
      alt=""
      loading="lazy"
      draggable={false}
      onError={() => setFailed(attempt)}
      className="absolute inset-0 size-full object-cover"
    />
  )
}
