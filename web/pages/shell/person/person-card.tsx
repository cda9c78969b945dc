import { AtSign, MessageSquare, Settings, Smile } from 'lucide-react'
import { type ComponentType, type ReactNode, useState } from 'react'
import { isDeletedUsername } from '#contract/deleted-usernames'
import { ASSISTANT } from '#contract/ids'
import type { Profile } from '#contract/users'
import { EmojiSign } from '../../../emoji/emoji-sign.tsx'
import { t } from '../../../i18n/text.ts'
import { useMe } from '../../../me.tsx'
import { useCurrentAvailability } from '../../../people/current-availability.ts'
import { useCurrentStatus } from '../../../people/current-status.ts'
import type { PersonCardProps } from '../../../people/person-card.ts'
import { shownName } from '../../../people/shown-name.ts'
import { handleOf } from '../../../people/shown-person.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { useBackCloses } from '../../../ui/device/back-closes.ts'
import { isTouch, wideScreen } from '../../../ui/device/media.ts'
import { afterTwoFrames } from '../../../ui/dialog/after-close.ts'
import { Popover } from '../../../ui/dialog/popover.tsx'
import { LoadError } from '../../../ui/feedback/load-error.tsx'
import { Button } from '../../../ui/input/button.tsx'
import { LazyDialog } from '../../../ui/lazy/lazy-dialog.tsx'
import { PresenceDot } from '../../../ui/presence-dot.tsx'
import { BlockButton } from './block-button.tsx'
import { composerNear, insertMention } from './mention.ts'
import { PersonDetails, StatusLine } from './person-details.tsx'
import { useOpenDirect } from './use-open-direct.ts'
import { usePerson } from './use-person.ts'

type LoadDialog = () => Promise<{ default: ComponentType<{ onClose: () => void }> }>

const settingsDialog = () => import('../dialogs/settings-dialog.tsx')
const statusDialog = () => import('../../../features/users/status-dialog.tsx')

/** A person: who they are, whether they are there, and what I can do with them; on a phone a sheet. Lazy-loaded. */
export default function PersonCard(props: PersonCardProps) {
  const { userId, anchor, origin, canMention = true, onLeave, onClose } = props
  const me = useMe()
  const { person, error, refetch } = usePerson(userId)
  const [isSheet] = useState(() => isTouch() && !wideScreen().matches)
  const [composer] = useState(() => (canMention ? composerNear(anchor) : undefined))
  const [isHidden, setHidden] = useState(false)
  const [dialog, setDialog] = useState<LoadDialog>()
  useBackCloses(onClose)

  function leave() {
    onClose()
    onLeave?.()
  }

  function replaceBy(load: LoadDialog) {
    setHidden(true)
    afterTwoFrames(() => setDialog(() => load))
  }

  function mention(at: HTMLTextAreaElement, username: string) {
    leave()
    afterTwoFrames(() => insertMention(at, username))
  }

  if (isHidden) return dialog && <LazyDialog load={dialog} onClose={onClose} />
  return (
    <Popover
      name={person ? t('people.card.titleOf', { name: shownName(person.name) }) : t('people.card.title')}
      anchor={anchor}
      side="bottom"
      align="start"
      isSheet={isSheet}
      origin={origin}
      onClose={onClose}
    >
      <div className={isSheet ? 'px-(--gutter) pt-5 pb-4' : 'w-70 p-4'}>
        {!person && error && <LoadError text={t('ui.loadFailed')} retry={refetch} />}
        {person && <Head person={person} />}
        {person && isHere(person) && <StatusLine person={person} />}
        {person?.id === me.id && (
          <Actions>
            <Button variant="line" onClick={() => replaceBy(statusDialog)}>
              <Smile size={16} />
              {t('users.setStatus')}
            </Button>
            <Button variant="line" onClick={() => replaceBy(settingsDialog)}>
              <Settings size={16} />
              {t('settings.title')}
            </Button>
          </Actions>
        )}
        {person && person.id !== me.id && !person.deactivatedAt && (
          <OthersActions person={person} onLeave={leave} onMention={composer && ((name) => mention(composer, name))} />
        )}
        {person && isHere(person) && <PersonDetails userId={person.id} />}
      </div>
    </Popover>
  )
}

const isHere = ({ id, deactivatedAt }: Profile) => id !== ASSISTANT && !deactivatedAt

function Head({ person }: { person: Profile }) {
  const { id } = person
  const [name, handle] = [shownName(person.name), handleOf(person.username)]
  const { emoji, text, until, isSet } = useCurrentStatus(person)
  const hasStatus = id !== ASSISTANT && !person.deactivatedAt && isSet
  // Otherwise it stands below, in words.
  const isBare = !text && !until
  return (
    <div className="flex items-center gap-3.5">
      <Avatar id={id} name={name} size="xl" />
      <div className="min-w-0 flex-1">
        <p className="flex items-baseline gap-1.5 font-[650] leading-[1.3]">
          <bdi className="line-clamp-2 min-w-0 [overflow-wrap:anywhere]">{name}</bdi>
          {hasStatus && isBare && (
            <span
              role="img"
              aria-label={t('people.card.statusIs', { status: emoji })}
              title={t('people.card.status')}
              className="flex-none leading-none"
            >
              <EmojiSign emoji={emoji} />
            </span>
          )}
        </p>
        {handle && (
          <p className="truncate text-faint text-ui" title={handle}>
            <bdi dir="ltr">{handle}</bdi>
          </p>
        )}
        <Presence person={person} />
      </div>
    </div>
  )
}

function Presence({ person }: { person: Profile }) {
  const { id, username, status, deactivatedAt } = person
  const availability = useCurrentAvailability(person)
  if (id === ASSISTANT) return <p className="mt-0.5 text-soft text-ui">{t('people.card.assistant')}</p>
  if (isDeletedUsername(username)) return <p className="mt-0.5 text-soft text-ui">{t('people.card.deleted')}</p>
  if (deactivatedAt) return <p className="mt-0.5 text-soft text-ui">{t('people.card.deactivated')}</p>
  const isOnline = status === 'online'
  return (
    <p className="mt-0.5 flex items-center gap-1.5 text-soft text-ui">
      <PresenceDot isOnline={isOnline} />
      {isOnline ? t('ui.online') : t('ui.offline')}
      {availability && ` · ${availability === 'away' ? t('people.away') : t('people.quiet')}`}
    </p>
  )
}

interface OthersProps {
  person: Profile
  onLeave: () => void
  /** Mentions the username; undefined where nothing can be written. */
  onMention: ((username: string) => void) | undefined
}

function OthersActions({ person: { id, username }, onLeave, onMention }: OthersProps) {
  const { open, isOpening, problem } = useOpenDirect(id, onLeave)
  return (
    <>
      <Actions>
        <Button variant="pine" disabled={isOpening} onClick={open}>
          <MessageSquare size={16} />
          {t('people.card.message')}
        </Button>
        {onMention && (
          <Button variant="line" onClick={() => onMention(username)}>
            <AtSign size={16} />
            {t('people.card.mention')}
          </Button>
        )}
      </Actions>
      {id !== ASSISTANT && <BlockButton userId={id} />}
      {problem && (
        <p role="alert" className="mt-2 text-danger text-meta">
          {problem}
        </p>
      )}
    </>
  )
}

const Actions = ({ children }: { children: ReactNode }) => <div className="mt-4 flex gap-2 *:flex-1">{children}</div>
