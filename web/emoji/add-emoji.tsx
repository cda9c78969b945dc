import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ImagePlus } from 'lucide-react'
import { type ChangeEvent, type Ref, type SubmitEvent, useRef, useState } from 'react'
import { addEmoji } from '#contract/custom-emoji'
import type { ReplyOf } from '#contract/endpoint'
import { fetchResponse } from '../api-client/api.ts'
import { failureText, fieldText } from '../api-client/failure-text.ts'
import { t } from '../i18n/text.ts'
import { useObjectUrl } from '../ui/device/object-url.ts'
import { showToast } from '../ui/feedback/toast.tsx'
import { Button } from '../ui/input/button.tsx'
import { refetchEmoji } from './custom-emoji.ts'
import { nameFromFile, tidyName } from './emoji-name.ts'
import { NameField } from './name-field.tsx'

const UPLOAD_TIMEOUT_MS = 60_000

/** A form for a new emoji: its picture, then its name. */
export function AddEmoji() {
  const [file, setFile] = useState<File>()
  const [name, setName] = useState('')
  const chooser = useRef<HTMLButtonElement>(null)
  const { mutate, isPending, error, reset } = useAddEmoji(() => {
    setFile(undefined)
    setName('')
    // The fields disappear.
    chooser.current?.focus()
  })

  function choose(chosen: File) {
    reset()
    setFile(chosen)
    if (name === '') setName(nameFromFile(chosen.name))
  }

  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (file && !isPending) mutate({ name: tidyName(name), file })
  }

  const nameProblem = fieldText(error, 'name')
  return (
    <form onSubmit={submit} className="flex flex-col gap-3 rounded-l bg-sunk p-3">
      <PictureChoice ref={chooser} file={file} onChoose={choose} />
      {error && !nameProblem && (
        <p role="alert" className="text-danger text-ui">
          {failureText(t('emoji.add.failed'), error)}
        </p>
      )}
      {file && (
        <div className="flex items-start gap-2">
          <div className="min-w-0 flex-1">
            <NameField
              value={name}
              error={nameProblem}
              onChange={(typed) => {
                reset()
                setName(typed)
              }}
            />
          </div>
          <Button type="submit" variant="pine" isBusy={isPending} disabled={tidyName(name) === ''} className="mt-7">
            {t('emoji.add.button')}
          </Button>
        </div>
      )}
    </form>
  )
}

function useAddEmoji(onAdded: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ name, file }: { name: string; file: File }) => {
      const form = new FormData()
      form.set('file', file)
      const input = { params: { name }, body: form as never }
      const response = await fetchResponse(addEmoji, input, { timeoutMs: UPLOAD_TIMEOUT_MS })
      return (await response.json()) as ReplyOf<typeof addEmoji>
    },
    onSuccess: (added) => {
      refetchEmoji(client)
      showToast(t('emoji.add.done', { name: `:${added.name}:` }))
      onAdded()
    },
    onError: (problem) => console.error('Failed to add an emoji:', problem),
  })
}

interface ChoiceProps {
  /** The button. */
  ref: Ref<HTMLButtonElement>
  file: File | undefined
  onChoose: (file: File) => void
}

/** The chosen picture, and a button to choose one. */
function PictureChoice({ ref, file, onChoose }: ChoiceProps) {
  const input = useRef<HTMLInputElement>(null)
  const preview = useObjectUrl(file)

  function onChange({ currentTarget }: ChangeEvent<HTMLInputElement>) {
    const [chosen] = currentTarget.files ?? []
    // Lets the user choose the same file again.
    currentTarget.value = ''
    if (chosen) onChoose(chosen)
  }

  return (
    <div className="flex items-center gap-3">
      <span className="grid size-12 flex-none place-items-center overflow-hidden rounded-m bg-paper text-faint">
        {preview ? <img src={preview} alt="" className="size-full object-contain" /> : <ImagePlus size={20} />}
      </span>
      <div className="min-w-0 flex-1">
        <Button ref={ref} variant="line" onClick={() => input.current?.click()}>
          {file ? t('emoji.add.change') : t('emoji.add.choose')}
        </Button>
        <p className="mt-1 text-pretty text-faint text-meta">{t('emoji.add.hint')}</p>
      </div>
      <input
        ref={input}
        type="file"
        accept="image/png,image/jpeg,image/webp,image/gif,image/avif"
        hidden
        aria-label={t('emoji.add.file')}
        onChange={onChange}
      />
    </div>
  )
}
