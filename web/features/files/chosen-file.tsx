import { X } from 'lucide-react'
import { useState } from 'react'
import { numberFormat } from '../../i18n/format.ts'
import { t } from '../../i18n/text.ts'
import { useObjectUrl } from '../../ui/device/object-url.ts'
import { FileIcon, kindOf } from '../../ui/file-icon.tsx'
import { FileName } from '../../ui/file-name.tsx'
import { fileSize } from '../../ui/format/file-size.ts'
import { IconButton } from '../../ui/input/icon-button.tsx'

export interface Chosen {
  key: string
  file: File
  /** From 0 to 1. */
  share: number
}

/** A file chosen for upload, with its progress during the upload. */
export function ChosenFile({ chosen, isBusy, onRemove }: { chosen: Chosen; isBusy: boolean; onRemove: () => void }) {
  const { file, share } = chosen
  return (
    <li className="flex h-12 items-center gap-3 rounded-m px-2">
      <Thumbnail file={file} />
      <span className="min-w-0 flex-1">
        <span title={file.name}>
          <FileName name={file.name} className="font-[550]" />
        </span>
        {isBusy ? (
          <progress
            aria-label={t('files.uploading', { name: file.name })}
            value={share}
            className="progress-line mt-1 block h-1 w-full"
          />
        ) : (
          <span className="block text-faint text-micro">{fileSize(file.size)}</span>
        )}
      </span>
      {isBusy ? (
        <span aria-hidden="true" className="w-9 flex-none text-end text-faint text-meta tabular-nums">
          {numberFormat({ style: 'percent' }).format(Math.floor(share * 100) / 100)}
        </span>
      ) : (
        <IconButton name={t('ui.removeNamed', { name: file.name })} onClick={onRemove}>
          <X size={16} />
        </IconButton>
      )}
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
