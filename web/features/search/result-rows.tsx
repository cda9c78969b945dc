import type { FoundFile, FoundMessage } from '#contract/search'
import { t } from '../../i18n/text.ts'
import { NamesakeHandle } from '../../people/namesake-handle.tsx'
import { withShownName } from '../../people/shown-person.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { FileIcon } from '../../ui/file-icon.tsx'
import { wholeTime } from '../../ui/format/clock-time.ts'
import { fileSize } from '../../ui/format/file-size.ts'
import { shortTime } from '../../ui/format/short-time.ts'
import type { Destination } from './destination.ts'
import { Highlighted } from './highlighted.tsx'
import { Marked } from './marked.tsx'

const place = 'truncate font-[550] text-faint text-meta'
const side = 'flex-none text-faint text-meta'

export function DestinationRow({
  destination: { name, note, isUnread = false, badge, mark },
  query,
}: {
  destination: Destination
  query: string
}) {
  return (
    <div className="flex h-11 items-center gap-3 text-ui">
      <span className="grid w-7 flex-none place-items-center text-soft">{mark}</span>
      <bdi className={`min-w-0 flex-1 truncate ${isUnread ? 'font-[600]' : 'font-[450]'}`} title={name}>
        <Highlighted text={name} sought={query} />
      </bdi>
      {badge ?? <bdi className={`max-w-[45%] truncate ${side}`}>{note}</bdi>}
    </div>
  )
}

/** @param location the name of the conversation */
export function MessageResult({ result, location }: { result: FoundMessage; location: string }) {
  const { content, metadata } = result
  const { timestamp, matches, threadId } = metadata
  const author = withShownName(metadata.author)
  return (
    <div className="flex gap-3 py-2">
      <Avatar id={author.id} name={author.name} size="m" />
      <div className="min-w-0 flex-1">
        <p className="flex items-center gap-3">
          <bdi className={`flex-1 ${place}`} title={location}>
            {threadId ? t('search.inThread', { location }) : location}
          </bdi>
          <time dateTime={timestamp} title={wholeTime(timestamp)} className={side}>
            {shortTime(timestamp)}
          </time>
        </p>
        <p className="flex items-baseline gap-2 text-ui">
          <bdi className="truncate font-[550]">{author.name}</bdi>
          <NamesakeHandle user={author} />
        </p>
        <p
          dir="auto"
          className="line-clamp-2 w-fit max-w-full text-soft text-ui leading-[1.45] [overflow-wrap:anywhere]"
        >
          <Marked text={content} parts={matches} />
        </p>
      </div>
    </div>
  )
}

/** @param location the name of the conversation that has the file, or of the place for everyone's */
export function FileResult({ result, location }: { result: FoundFile; location: string }) {
  const { content, metadata } = result
  return (
    <div className="flex items-center gap-3 py-2">
      <span className="grid size-7 flex-none place-items-center rounded-s bg-pine-wash text-pine">
        <FileIcon type={metadata.fileType} name={content} size={16} />
      </span>
      <div className="min-w-0 flex-1">
        <bdi className={`block ${place}`} title={location}>
          {location}
        </bdi>
        <bdi className="line-clamp-2 font-[550] text-ui [overflow-wrap:anywhere]" title={content}>
          <Marked text={content} parts={metadata.matches} />
        </bdi>
      </div>
      <span className={side}>{fileSize(metadata.fileSize)}</span>
    </div>
  )
}
