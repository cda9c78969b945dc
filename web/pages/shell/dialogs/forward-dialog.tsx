import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { openDirectMessage } from '#contract/channels'
import { limits } from '#contract/limits'
import { mentionedIn } from '#contract/mentions'
import type { Message } from '#contract/messages'
import { joinQuotes, type MessagePlace, placeIn, quoteOf, splitQuotes } from '#contract/quotes'
import { contentOf } from '#contract/text'
import { call } from '../../../api-client/api.ts'
import { explainFailure } from '../../../api-client/failure-text.ts'
import { putChannel } from '../../../features/channels/cache/channel-cache.ts'
import { allChannels } from '../../../features/channels/cache/channel-queries.ts'
import { titleOf } from '../../../features/channels/cache/channel-title.ts'
import { nameOf } from '../../../features/messages/actions/conversation-context.tsx'
import type { ForwardDialogProps } from '../../../features/messages/actions/forward-loader.ts'
import { useAutoHeight } from '../../../features/messages/editor/edit-text.ts'
import { enqueue } from '../../../features/messages/outbox/outbox.ts'
import { t } from '../../../i18n/text.ts'
import { useMe } from '../../../me.tsx'
import { paths } from '../../../paths.ts'
import { onSignOut } from '../../../session/sign-out-tasks.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { showToast } from '../../../ui/feedback/toast.tsx'
import { tooLongText } from '../../../ui/format/too-long.ts'
import { Button } from '../../../ui/input/button.tsx'
import { keyedStore } from '../../../ui/keyed-store.ts'
import { SearchCombobox } from '../../../ui/list/combobox.tsx'
import { mayPost, type Target, TargetLine, useTargets } from '../../search/message-targets.tsx'
import QuotedMessage from '../quoted-message.tsx'

/** More are chosen one after the other. */
const MAX_TARGETS = 5

/** Sends a message as a quote to other conversations, with a note. Lazy-loaded. */
export default function ForwardDialog({ message, onClose }: ForwardDialogProps) {
  const [chosen, setChosen] = useState<Target[]>([])
  const [note, setNote] = useNote(message.id)
  const { forward, isPending, problem } = useForward(message.id, onClose)
  const place = originOf(message)
  const content = contentOf(joinQuotes([quoteOf(place, t('messages.forward.label'))], note))
  const excess = content.length - limits.messageContent
  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (chosen.length > 0 && excess <= 0) forward(chosen, content)
  }
  return (
    <Dialog
      title={t('messages.forward.title')}
      action={
        <Button type="submit" variant="pine" isBusy={isPending} disabled={chosen.length === 0 || excess > 0}>
          {t('messages.actions.forward')}
        </Button>
      }
      onSubmit={submit}
      onClose={onClose}
    >
      <div className="flex flex-col gap-3 px-6 pt-1 max-wide:min-h-0 max-wide:flex-1 max-wide:px-(--gutter)">
        <div className="max-h-40 flex-none overflow-y-auto">
          <QuotedMessage {...place} />
        </div>
        <Note value={note} onChange={setNote} />
        <Readers channelId={place.channelId} />
        {note.includes('@') && mentionedIn(note).broadcast && (
          <p className="text-danger text-meta">{t('messages.forward.notifiesAll')}</p>
        )}
        <TargetPicker chosen={chosen} onChoose={setChosen} />
      </div>
      {(excess > 0 || problem) && (
        <p role="alert" className="px-6 pt-2 text-danger text-ui">
          {excess > 0 ? tooLongText(excess) : problem}
        </p>
      )}
    </Dialog>
  )
}

/** The message to forward: of one that only quotes another, the other. */
function originOf({ channelId, id: messageId, content, files }: Message): MessagePlace {
  const { quotes, rest } = splitQuotes(content)
  const [only, another] = files.length === 0 && rest === '' ? quotes : []
  return (only && !another && placeIn(only)) || { channelId, messageId }
}

/** What was written in a dialog that was closed, by message. */
const notes = keyedStore<string>()

onSignOut({
  async forget() {
    for (const messageId of notes.keys()) notes.set(messageId)
  },
})

const useNote = (messageId: string) =>
  [notes.useAt(messageId) ?? '', (note: string) => notes.set(messageId, note || undefined)] as const

function useForward(messageId: string, onClose: () => void) {
  const me = useMe()
  const client = useQueryClient()
  const navigate = useNavigate()
  const isOpen = useRef(true)
  useEffect(() => {
    isOpen.current = true
    return () => {
      isOpen.current = false
    }
  }, [])
  const { mutate, isPending, error } = useMutation({
    networkMode: 'always',
    async mutationFn({ chosen, content }: { chosen: readonly Target[]; content: string }) {
      // First all conversations, so that a refusal sends nothing.
      const channels = await Promise.all(
        chosen.map(async (target) => {
          if ('channel' in target) return target.channel
          const direct = await call(openDirectMessage, { body: { userIds: [target.person.id] } })
          putChannel(client, direct)
          return direct
        }),
      )
      const known = client.getQueryData(allChannels.queryKey) ?? {}
      const refusing = chosen.find((_, n) => !mayPost(known[channels[n]?.id ?? ''], me))
      if (refusing) throw new Refused(t('messages.forward.refused', { place: refusing.title }))
      if (!isOpen.current) return undefined
      for (const channel of channels) enqueue({ channelId: channel.id, threadId: null, of: nameOf(channel) }, content)
      notes.set(messageId)
      return channels
    },
    onSuccess(channels, { chosen }) {
      if (!channels) return
      const [channel] = channels
      onClose()
      const show = () => channel && void navigate(paths.channel(channel.id))
      const to = chosen.map(({ title }) => title).join(t('ui.listComma'))
      showToast(t('messages.forward.sent', { to }), { action: { name: t('messages.forward.show'), act: show } })
    },
    onError: (failure) => console.error('Failed to forward a message:', failure),
  })
  return {
    forward: (chosen: readonly Target[], content: string) => !isPending && mutate({ chosen, content }),
    isPending,
    problem: error instanceof Refused ? error.message : error && explainFailure(t('messages.failed.forward'), error),
  }
}

/** One may no longer write there. */
class Refused extends Error {}

function Note({ value, onChange }: { value: string; onChange: (note: string) => void }) {
  const textarea = useRef<HTMLTextAreaElement>(null)
  useAutoHeight(textarea, value)
  return (
    <textarea
      ref={textarea}
      rows={1}
      dir="auto"
      aria-label={t('messages.forward.note')}
      placeholder={t('messages.forward.note')}
      value={value}
      onChange={({ target }) => onChange(target.value)}
      className="field-edge field-sizing-content block max-h-40 min-h-10 w-full flex-none resize-none rounded-m bg-paper px-3 py-2 text-ui outline-none"
    />
  )
}

/** Says who will be able to read a message of a conversation that is not open to all. */
function Readers({ channelId }: { channelId: string }) {
  const me = useMe()
  const { data: channels } = useQuery(allChannels)
  const channel = channels?.[channelId]
  if (!channel || channel.kind === 'public') return null
  return <p className="text-meta text-soft">{t('messages.forward.readers', { place: titleOf(channel, me.id) })}</p>
}

interface PickerProps {
  chosen: Target[]
  onChoose: (chosen: Target[]) => void
}

function TargetPicker({ chosen, onChoose }: PickerProps) {
  const me = useMe()
  const [query, setQuery] = useState('')
  const { targets, isSettled } = useTargets(query, me, mayPost)
  return (
    <SearchCombobox
      label={t('messages.forward.to')}
      options={targets}
      isSettled={isSettled}
      nameOf={({ title }) => title}
      renderOption={(target) => <TargetLine target={target} me={me} />}
      query={query}
      onQuery={setQuery}
      chosen={chosen}
      onChoose={onChoose}
      maxChosen={MAX_TARGETS}
      empty={t('messages.forward.none')}
    />
  )
}
