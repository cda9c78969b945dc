import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { UserPlus } from 'lucide-react'
import { type ComponentProps, useContext, useEffect, useRef, useState } from 'react'
import { can } from '#contract/can'
import type { Channel } from '#contract/channels'
import { limits } from '#contract/limits'
import { addPoster, removePoster } from '#contract/members'
import type { Profile } from '#contract/users'
import { call } from '../../../api-client/api.ts'
import { failureText } from '../../../api-client/failure-text.ts'
import { t } from '../../../i18n/text.ts'
import { useMe } from '../../../me.tsx'
import { PersonCardLoader, type PersonCardProps } from '../../../people/person-card.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { LoadError } from '../../../ui/feedback/load-error.tsx'
import { Button } from '../../../ui/input/button.tsx'
import { SearchField } from '../../../ui/input/search-field.tsx'
import { useDebounced } from '../../../ui/input/use-debounced.ts'
import { LazyDialog } from '../../../ui/lazy/lazy-dialog.tsx'
import { useRoving } from '../../../ui/list/roving.ts'
import { ScrollSentinel } from '../../../ui/list/scroll-sentinel.tsx'
import { SkeletonRows } from '../../../ui/list/skeleton-rows.tsx'
import { patchChannel, putChannel, refetchChannel } from '../cache/channel-cache.ts'
import { memberSearch, useFreshMembers } from '../cache/member-queries.ts'
import { useOpenChannel } from '../menu/use-open-channel.ts'
import { type MemberChange, MemberChangeDialog } from './member-change-dialog.tsx'
import { MemberRow } from './member-row.tsx'

interface Props {
  channel: Channel
  /** Instead of the channel's name. */
  title?: string
  onClose: () => void
}

type ShownMember = Pick<PersonCardProps, 'userId' | 'anchor'>

const inviteDialog = () => import('./invite-dialog.tsx')

/** Lets a member post in a channel, or no longer, and shows it at once. @param onDone called with a sentence if that failed */
function usePosterChange(channel: Channel, onDone: (problem?: string) => void) {
  const client = useQueryClient()
  const { mutate } = useMutation({
    // Offline it fails at once, instead of taking effect later.
    networkMode: 'always',
    // One after the other, as clicked.
    scope: { id: `posters ${channel.id}` },
    onMutate: ({ person, isPoster }) =>
      patchChannel(client, channel.id, (held) => {
        const others = held.posters?.filter((id) => id !== person.id) ?? []
        return { ...held, posters: isPoster ? [...others, person.id] : others }
      }),
    mutationFn: ({ person, isPoster }: { person: Profile; isPoster: boolean }) =>
      call(isPoster ? addPoster : removePoster, { params: { channelId: channel.id, userId: person.id } }),
    onSuccess: (updated) => {
      putChannel(client, updated)
      onDone()
    },
    onError: (error) => {
      console.error('Failed to change who can post:', error)
      void refetchChannel(client, channel.id)
      onDone(failureText(t('channels.posters.failed'), error))
    },
  })
  return mutate
}

/** The members of a channel. Its owner can remove them, make one of them the owner, and choose who can post. */
export default function MembersDialog({ channel, title, onClose }: Props) {
  const me = useMe()
  const [query, setQuery] = useState('')
  const [isInviting, setInviting] = useState(false)
  const [shown, setShown] = useState<ShownMember>()
  const [change, setChange] = useState<MemberChange>()
  const [failure, setFailure] = useState<string>()
  const setPoster = usePosterChange(channel, setFailure)

  return (
    <Dialog
      title={title ?? t('channels.membersIn', { name: channel.name })}
      tools={
        // Everyone is already in #general.
        can.inviteTo(me, channel) &&
        !channel.isGeneral && (
          <Button variant="line" aria-haspopup="dialog" onClick={() => setInviting(true)}>
            <UserPlus size={16} />
            {t('channels.invite')}
          </Button>
        )
      }
      onClose={onClose}
    >
      <div className="px-6 pt-1 pb-4 max-wide:flex max-wide:min-h-0 max-wide:flex-1 max-wide:flex-col max-wide:px-(--gutter)">
        <SearchField label={t('channels.searchMembers')} value={query} onChange={setQuery} maxLength={limits.query} />
        {failure && (
          <p role="alert" className="mt-2 text-danger text-ui">
            {failure}
          </p>
        )}
        {/* biome-ignore lint/a11y/useSemanticElements: fieldset is for forms */}
        <div
          role="group"
          aria-label={t('channels.members')}
          className="fades-below -mx-3 mt-2 max-h-[min(24rem,50dvh)] min-h-44 overflow-y-auto overscroll-contain rounded-m max-wide:max-h-none max-wide:min-h-0 max-wide:flex-1"
        >
          <Members
            channel={channel}
            sought={useDebounced(query.trim())}
            onChange={setChange}
            onPoster={setPoster}
            onInvite={() => setInviting(true)}
            onProfile={(userId, anchor) => setShown({ userId, anchor })}
          />
        </div>
      </div>
      {isInviting && <LazyDialog load={inviteDialog} channel={channel} onClose={() => setInviting(false)} />}
      {shown && <MemberCard {...shown} channelId={channel.id} onLeave={onClose} onClose={() => setShown(undefined)} />}
      {change && (
        <MemberChangeDialog
          channel={channel}
          change={change}
          onClose={() => setChange(undefined)}
          onDone={setFailure}
        />
      )}
    </Dialog>
  )
}

interface CardProps extends ShownMember {
  channelId: string
  onLeave: () => void
  onClose: () => void
}

/** The card of a member, who can be mentioned from it if this channel is open. */
function MemberCard({ userId, anchor, channelId, onLeave, onClose }: CardProps) {
  const personCard = useContext(PersonCardLoader)
  const openId = useOpenChannel()
  if (!personCard) return null
  return (
    <LazyDialog
      key={userId}
      load={personCard}
      userId={userId}
      anchor={anchor}
      origin={anchor}
      canMention={openId === channelId}
      onLeave={onLeave}
      onClose={onClose}
    />
  )
}

type RowProps = Omit<ComponentProps<typeof MemberRow>, 'person'>

interface ListProps extends RowProps {
  sought: string
  onInvite: () => void
}

function Members({ channel, sought, onInvite, ...row }: ListProps) {
  const me = useMe()
  useFreshMembers(channel)
  const query = useInfiniteQuery(memberSearch(channel.id, sought))
  const { data, error, hasNextPage, isFetching, isFetchNextPageError } = query
  useEffect(() => {
    if (error) console.error('Failed to load members:', error)
  }, [error])

  if (!data && error) return <LoadError text={t('channels.membersFailed')} retry={() => void query.refetch()} />
  if (!data) return <SkeletonRows />
  const members = data.pages.flatMap((page) => page.members)
  if (members.length === 0)
    return <p className="px-3 py-6 text-center text-soft text-ui">{t('channels.noMembersFound')}</p>
  return (
    <>
      <MemberList people={members} channel={channel} {...row} />
      {members.length === 1 && sought === '' && can.inviteTo(me, channel) && !channel.isGeneral && (
        <div className="px-3 py-6 text-center text-ui">
          <p className="text-soft">{t('channels.nobodyElse')}</p>
          <Button variant="line" className="mt-3" onClick={onInvite}>
            {t('channels.invitePeople')}
          </Button>
        </div>
      )}
      {isFetchNextPageError && (
        <LoadError text={t('channels.membersFailed')} retry={() => void query.fetchNextPage()} />
      )}
      {hasNextPage && !isFetchNextPageError && (
        <>
          <ScrollSentinel key={members.length} onNear={() => !isFetching && void query.fetchNextPage()} />
          <p className="px-3 py-2 text-faint text-meta">{t('ui.loadingMore')}</p>
        </>
      )}
    </>
  )
}

/** A single tab stop; the arrow keys move between rows. */
function MemberList({ people, ...row }: RowProps & { people: Profile[] }) {
  const list = useRef<HTMLUListElement>(null)
  useRoving(list)
  return (
    <ul ref={list}>
      {people.map((person) => (
        <MemberRow key={person.id} person={person} {...row} />
      ))}
    </ul>
  )
}
