import { RotateCcw, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { t } from '../../../i18n/text.ts'
import { useOnline } from '../../../ui/device/online.ts'
import { FileIcon, kindOf } from '../../../ui/file-icon.tsx'
import { FileName } from '../../../ui/file-name.tsx'
import { fileSize } from '../../../ui/format/file-size.ts'
import { IconButton } from '../../../ui/input/icon-button.tsx'
import { type Attachment, useAttachments } from '../outbox/attachments.ts'
import { focusComposer } from '../outbox/open-conversations.ts'
import { conversationKey, type Target } from '../outbox/pending-message.ts'
import { removeAttachment, retryAttachment } from '../outbox/uploads.ts'

/** The files of a conversation's next message. Lazy-loaded. */
export default function AttachmentTray({ to }: { to: Target }) {
  const attachments = useAttachments(conversationKey(to))
  return (
    <ul
      aria-label={t('messages.composer.attached')}
      className="flex max-h-[30dvh] flex-wrap gap-2 overflow-y-auto px-3 pt-3"
    >
      {attachments.map((attachment) => (
        <Card key={attachment.key} to={to} attachment={attachment} />
      ))}
    </ul>
  )
}

function Card({ to, attachment }: { to: Target; attachment: Attachment }) {
  const isOnline = useOnline()
  const { name, state } = attachment
  const andFocusComposer = (act: () => void) => () => {
    act()
    // The button may disappear, so move the focus.
    focusComposer(conversationKey(to))
  }
  return (
    <li
      className={`flex w-60 max-w-full items-center gap-2 rounded-m border bg-paper p-1.5 ${state === 'failed' ? 'border-danger' : 'border-line'}`}
    >
      <Preview attachment={attachment} />
      <span className="min-w-0 flex-1">
        <span title={name}>
          <FileName name={name} className="font-[550]" />
        </span>
        <Progress attachment={attachment} />
      </span>
      {state === 'failed' && attachment.file && isOnline && (
        <IconButton
          name={t('messages.composer.retryFile', { name })}
          onClick={andFocusComposer(() => retryAttachment(to, attachment))}
        >
          <RotateCcw size={14} />
        </IconButton>
      )}
      <IconButton
        name={state === 'uploading' ? t('messages.composer.cancelFile', { name }) : t('ui.removeNamed', { name })}
        onClick={andFocusComposer(() => removeAttachment(to, attachment))}
      >
        <X size={14} />
      </IconButton>
    </li>
  )
}

function Progress({ attachment }: { attachment: Attachment }) {
  const { name, size, state, share, problem } = attachment
  if (state === 'uploading')
    return (
      <progress
        aria-label={t('messages.composer.uploading', { name })}
        value={share}
        className="progress-line my-1 block h-1 w-full"
      />
    )
  if (state === 'failed')
    return (
      <span role="alert" className="line-clamp-2 block text-danger text-micro" title={problem}>
        {problem}
      </span>
    )
  return <span className="block text-faint text-micro">{fileSize(size)}</span>
}

function Preview({ attachment: { file, stored, type, name } }: { attachment: Attachment }) {
  const [local, setLocal] = useState<string>()
  const isPicture = file !== undefined && kindOf(type) === 'image'
  useEffect(() => {
    if (!isPicture) return
    const url = URL.createObjectURL(file)
    setLocal(url)
    return () => {
      setLocal(undefined)
      URL.revokeObjectURL(url)
    }
  }, [file, isPicture])
  const picture = stored?.thumbnailUrl ?? local
  return (
    <span className="grid size-9 flex-none place-items-center overflow-hidden rounded-s bg-pine-wash text-pine">
      {picture ? (
        <img src={picture} alt="" className="size-full object-cover" />
      ) : (
        <FileIcon type={type} name={name} size={18} />
      )}
    </span>
  )
}
