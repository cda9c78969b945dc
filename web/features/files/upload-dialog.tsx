import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Globe, type LucideIcon } from 'lucide-react'
import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { v4 as uuid } from 'uuid'
import { uploadFailureText } from '../../api-client/upload-failure-text.ts'
import { uploadLimits } from '../../api-client/upload-limits.ts'
import { t } from '../../i18n/text.ts'
import { confirmBeforeUnload } from '../../ui/device/before-leaving.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Button } from '../../ui/input/button.tsx'
import { Select } from '../../ui/input/select.tsx'
import { type Chosen, ChosenFile } from './chosen-file.tsx'
import { DropZone } from './drop-zone.tsx'
import { FILES_KEY } from './file-queries.ts'
import { partitionFiles } from './refused-files.ts'
import { uploadAll } from './upload-all.ts'

interface Conversation {
  channelId: string
  name: string
  Icon: LucideIcon
}

interface Props {
  /** Where files can be shared besides with everyone. */
  conversations: readonly Conversation[]
  /** The open one of them. */
  openId: string | undefined
  onClose: () => void
}

const EVERYONE = 'everyone'

const withId = (conversations: readonly Conversation[], id: string | undefined) =>
  conversations.find(({ channelId }) => channelId === id)

/** The destination of the files: everyone, or one of the offered conversations. */
function useDestination(conversations: readonly Conversation[], openId: string | undefined) {
  const [destination, setDestination] = useState<Conversation | typeof EVERYONE | undefined>(() =>
    withId(conversations, openId),
  )
  // The open conversation may be known late. Once shown, the choice stays: it must not fall back to everyone.
  if (!destination && openId) setDestination(withId(conversations, openId))
  const channelId = destination && destination !== EVERYONE ? destination.channelId : undefined
  // Nor may it lose its name if the conversation ends in the meantime.
  const offered =
    destination && destination !== EVERYONE && !withId(conversations, channelId)
      ? [destination, ...conversations]
      : conversations
  const choose = (id: string) => setDestination(id === EVERYONE ? EVERYONE : withId(offered, id))
  return { channelId, offered, choose }
}

/** Uploads files, all or none, for everyone in the workspace or for one conversation. */
export function UploadDialog({ conversations, openId, onClose }: Props) {
  const client = useQueryClient()
  const { data: uploadLimit } = useQuery(uploadLimits)
  const [chosen, setChosen] = useState<Chosen[]>([])
  const { channelId, offered, choose } = useDestination(conversations, openId)
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const upload = useRef<AbortController>(undefined)
  // After the dialog is closed, the upload is not reported.
  useEffect(
    () => () => {
      upload.current?.abort()
      upload.current = undefined
    },
    [],
  )
  const isSomeChosen = chosen.length > 0
  useEffect(() => confirmBeforeUnload(() => isSomeChosen), [isSomeChosen])

  function add(files: File[]) {
    const { accepted, problem } = partitionFiles(files, chosen.length, uploadLimit?.size)
    setProblem(problem)
    setChosen((before) => [...before, ...accepted.map((file) => ({ key: uuid(), file, share: 0 }))])
  }

  async function submit(event: SubmitEvent) {
    event.preventDefault()
    if (isBusy) return
    if (chosen.length === 0) return setProblem(t('files.upload.noneChosen'))
    const control = new AbortController()
    upload.current = control
    setBusy(true)
    setProblem(undefined)
    const onProgress = (index: number, share: number) =>
      setChosen((before) => before.map((entry) => (entry.key === chosen[index]?.key ? { ...entry, share } : entry)))
    try {
      await uploadAll(
        chosen.map(({ file }) => file),
        { channelId, control, onProgress },
      )
      void client.invalidateQueries({ queryKey: FILES_KEY })
      onClose()
    } catch (error) {
      if (upload.current !== control) return
      setBusy(false)
      setChosen((before) => before.map((entry) => ({ ...entry, share: 0 })))
      console.error('Failed to upload files. Please try again.', error)
      setProblem(uploadFailureText(error, channelId === undefined))
    }
  }

  return (
    <Dialog
      title={t('files.upload.title')}
      action={
        <Button type="submit" variant="pine" disabled={isBusy || chosen.length === 0}>
          {isBusy ? t('files.upload.busy') : t('files.upload.action')}
        </Button>
      }
      onSubmit={submit}
      onClose={onClose}
    >
      <div className="flex flex-col gap-3 px-6 pt-2 pb-4 max-wide:px-(--gutter)">
        <DropZone disabled={isBusy} isSmall={chosen.length > 0} onFiles={add} />
        {chosen.length > 0 && (
          <ul className="-mx-2 max-h-60 overflow-y-auto overscroll-contain">
            {chosen.map((entry) => (
              <ChosenFile
                key={entry.key}
                chosen={entry}
                isBusy={isBusy}
                onRemove={() => setChosen((before) => before.filter(({ key }) => key !== entry.key))}
              />
            ))}
          </ul>
        )}
        <Select
          label={t('files.upload.shareWith')}
          hint={t('files.upload.hint')}
          options={[
            ...offered.map(({ channelId, name, Icon }) => ({ value: channelId, name, Icon })),
            { value: EVERYONE, name: t('files.upload.everyone'), Icon: Globe },
          ]}
          value={channelId ?? EVERYONE}
          onChange={choose}
          disabled={isBusy}
        />
        {problem && (
          <p role="alert" className="text-danger text-ui [overflow-wrap:anywhere]">
            {problem}
          </p>
        )}
      </div>
    </Dialog>
  )
}
