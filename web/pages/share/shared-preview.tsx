import { useState } from 'react'
import { t } from '../../i18n/text.ts'
import { useObjectUrl } from '../../ui/device/object-url.ts'
import type { SharedContent } from '../../ui/device/shares.ts'
import { FileIcon, kindOf } from '../../ui/file-icon.tsx'
import { FileName } from '../../ui/file-name.tsx'
import { fileSize } from '../../ui/format/file-size.ts'

/** The text and the files that another app shared. */
export function SharedPreview({ content: { text, files } }: { content: SharedContent }) {
  return (
    <section
      aria-label={t('share.shared')}
      className="flex max-h-[34dvh] flex-none flex-col gap-2 overflow-y-auto overscroll-contain rounded-m border border-line bg-paper p-2"
    >
      {text !== '' && (
        <p dir="auto" className="line-clamp-6 flex-none whitespace-pre-wrap px-2 py-1 [overflow-wrap:anywhere]">
          {text}
        </p>
      )}
      {files.length > 0 && (
        <ul aria-label={t('share.files')} className="flex-none">
          {files.map((file, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes, and names may repeat
            <SharedFile key={index} file={file} />
          ))}
        </ul>
      )}
    </section>
  )
}

function SharedFile({ file }: { file: File }) {
  return (
    <li className="flex h-12 items-center gap-3 px-2">
      <Thumbnail file={file} />
      <span className="min-w-0 flex-1">
        <span title={file.name}>
          <FileName name={file.name} className="font-[550]" />
        </span>
        <span className="block text-faint text-micro">{fileSize(file.size)}</span>
      </span>
    </li>
  )
}

function Thumbnail({ file }: { file: File }) {
  const [hasFailed, setFailed] = useState(false)
  const isPicture = kindOf(file.type) === 'image' && !hasFailed
  const url = useObjectUrl(isPicture ? file : undefined)
  return (
    <span className="grid size-9 flex-none place-items-center overflow-hidden rounded-s bg-pine-wash text-pine">
      {url ? (
        <img src={url} alt="" className="size-full object-cover" onError={() => setFailed(true)} />
      ) : (
        <FileIcon type={file.type} name={file.name} size={18} />
      )}
    </span>
  )
}
