import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { can } from '#contract/can'
import { type Channel, openDirectMessage } from '#contract/channels'
import { limits } from '#contract/limits'
import { call } from '../../api-client/api.ts'
import { explainFailure } from '../../api-client/failure-text.ts'
import { tooLarge, tooLargeText, uploadLimits } from '../../api-client/upload-limits.ts'
import { putChannel } from '../../features/channels/cache/channel-cache.ts'
import { nameOf } from '../../features/messages/actions/conversation-context.tsx'
import { addToDraft, filesLeftIn } from '../../features/messages/composer/add-to-draft.ts'
import { t } from '../../i18n/text.ts'
import { useMe } from '../../me.tsx'
import type { SharedContent } from '../../ui/device/shares.ts'
import { SearchCombobox } from '../../ui/list/combobox.tsx'
import { mayPost, type Target, TargetLine, useTargets } from '../search/message-targets.tsx'
import { keepUntilUploaded } from './shared-uploads.ts'

interface Props {
  /** The share's. */
  id: string
  content: SharedContent
  /** Called once the content is in the composer of a conversation. */
  onChosen: (channelId: string) => void
}

/** Puts the content into the composer of the conversation that the user chooses. */
export function ChooseConversation({ id, content, onChosen }: Props) {
  const me = useMe()
  const [query, setQuery] = useState('')
  const { data: limit } = useQuery(uploadLimits)
  const large = tooLarge(content.files, limit?.size)
  const mayUpload = can.uploadTo(me, ANY_CHANNEL)
  const files = mayUpload ? content.files.filter((file) => !large.includes(file)) : []
  const { choose, problem } = useChoose(id, content, files, onChosen)
  const { targets, isSettled } = useTargets(query, me, mayPost)
  const isSomethingLeft = content.text !== '' || files.length > 0
  const uploadProblem =
    mayUpload || content.files.length === 0 ? tooLargeText(large, limit?.size) : t('share.uploadNotAllowed')
  const problems = [uploadProblem, problem].filter(Boolean)
  return (
    <>
      {problems.length > 0 && (
        <p role="alert" className="text-danger text-ui [overflow-wrap:anywhere]">
          {problems.join(' ')}
        </p>
      )}
      {isSomethingLeft && (
        <SearchCombobox
          label={t('messages.forward.to')}
          hint={t('share.hint')}
          options={targets}
          isSettled={isSettled}
          nameOf={({ title }) => title}
          renderOption={(target) => <TargetLine target={target} me={me} />}
          query={query}
          onQuery={setQuery}
          chosen={NONE}
          onChoose={([target]) => target && choose(target)}
          maxChosen={1}
          empty={t('messages.forward.none')}
        />
      )}
    </>
  )
}

/** Choosing a conversation leads there at once. */
const NONE: Target[] = []

/** One that I may write in. */
const ANY_CHANNEL = { name: '', archivedAt: null, isMember: true }

function useChoose(id: string, content: SharedContent, files: File[], onChosen: Props['onChosen']) {
  const client = useQueryClient()
  const { mutate, isPending, error } = useMutation({
    networkMode: 'always',
    async mutationFn(target: Target) {
      if ('channel' in target) return target.channel
      const direct = await call(openDirectMessage, { body: { userIds: [target.person.id] } })
      putChannel(client, direct)
      return direct
    },
    onSuccess: put,
    onError: (failure) => console.error('Failed to start conversation:', failure),
  })
  const [refusal, setRefusal] = useState<string>()

  function put(channel: Channel, { title }: Target) {
    const to = { channelId: channel.id, threadId: null, of: nameOf(channel) }
    if (files.length > filesLeftIn(to))
      return setRefusal(t('share.noRoom', { place: title, count: limits.attachments }))
    const attachments = addToDraft(to, content.text, files)
    if (!attachments) return setRefusal(t('share.full'))
    const numbers = files.map((file) => content.files.indexOf(file))
    keepUntilUploaded(id, to, new Map(attachments.map((attachment, nth) => [numbers[nth] as number, attachment])))
    onChosen(channel.id)
  }

  return {
    choose(target: Target) {
      setRefusal(undefined)
      if (!isPending) mutate(target)
    },
    problem: refusal ?? (error && explainFailure(t('channels.newDirect.failed'), error)),
  }
}
