import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { BellRing, Check, Hash, type LucideIcon, MessageCircle, Plus, UserPlus, X } from 'lucide-react'
import { type ComponentType, type CSSProperties, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { useNavigate, useOutletContext } from 'react-router'
import type { Channel } from '#contract/channels'
import { endWelcome, type FirstSteps } from '#contract/welcome'
import { call } from '../../api-client/api.ts'
import { setPreference } from '../../browser/preferences.ts'
import { sharedChannels } from '../../features/channels/cache/channel-queries.ts'
import { firstSteps, noteFirstMessage } from '../../features/channels/cache/first-steps.ts'
import { focusComposer } from '../../features/messages/outbox/open-conversations.ts'
import { messagesIn } from '../../features/messages/sync/message-queries.ts'
import { enableNotifications, useNotificationState } from '../../features/notifications/permission.ts'
import { rich, t } from '../../i18n/text.ts'
import { useIdentity, useMe, useWorkspaceName } from '../../me.tsx'
import { paths } from '../../paths.ts'
import { wideScreen } from '../../ui/device/media.ts'
import { IconButton } from '../../ui/input/icon-button.tsx'
import { LazyDialog } from '../../ui/lazy/lazy-dialog.tsx'
import type { FrameContext } from '../page-header.tsx'
import { untilStill, untilUnread } from './farewell.ts'
import { noteWelcomePlace } from './welcome-place.ts'

/** How long the completed card stays. */
const FAREWELL_MS = 4000

type LoadDialog = () => Promise<{ default: ComponentType<{ section?: 'invite'; onClose: () => void }> }>
const workspaceDialog = () => import('../../features/identity/workspace-dialog.tsx')
const createChannel = () => import('../../features/channels/dialogs/create-channel-dialog.tsx')

interface Step {
  id: string
  name: string
  Icon: LucideIcon
  isDone: boolean
  act: () => void
}

/** The first steps of a newcomer, above the composer. It disappears when all are done or it is closed. Lazy-loaded. */
export default function WelcomeCard({ channelId }: { channelId: string }) {
  const client = useQueryClient()
  const [load, setLoad] = useState<LoadDialog>()
  const { steps, stepCount } = useSteps((load) => setLoad(() => load))
  const isComplete = steps?.every(({ isDone }) => isDone) ?? false
  const [wasOpen, setWasOpen] = useState(false)
  if (steps && !isComplete && !wasOpen) setWasOpen(true)
  const { place, stage, close } = useEnding(channelId, { isComplete, wasOpen, isHeld: load !== undefined })
  useEffect(() => noteWelcomePlace(channelId), [channelId])

  function closeDialog() {
    setLoad(undefined)
    refetchCompany(client)
  }

  // It does not appear if everything was done elsewhere.
  const isShown = stage !== 'closed' && (wasOpen || !isComplete)
  return (
    <>
      {isShown && (
        <div ref={place} data-stage={stage} className="welcome-place" style={{ '--steps': stepCount } as CSSProperties}>
          {steps && <Card steps={steps} isComplete={isComplete} onClose={close} />}
        </div>
      )}
      {load && <LazyDialog load={load} section="invite" onClose={closeDialog} />}
    </>
  )
}

interface CardProps {
  steps: Step[]
  isComplete: boolean
  onClose: () => void
}

function Card({ steps, isComplete, onClose }: CardProps) {
  const titleId = useId()
  const workspace = useWorkspaceName()
  const name = useMe().name.trim().split(/\s+/)[0] ?? ''
  const shownName = <bdi>{name}</bdi>
  return (
    <section
      aria-labelledby={titleId}
      className="flex h-full animate-appear flex-col overflow-hidden rounded-l border border-transparent bg-pine-wash px-2 py-1.5"
    >
      <div className="flex h-(--step) flex-none items-center gap-2 ps-2">
        <h2
          id={titleId}
          title={isComplete ? undefined : t('welcome.title', { name, workspace })}
          className="min-w-0 flex-1 truncate font-[650] text-body text-ink"
        >
          {isComplete
            ? rich('welcome.complete', { name: shownName })
            : rich('welcome.title', { name: shownName, workspace: <bdi>{workspace}</bdi> })}
        </h2>
        <p role="status" className="text-meta text-soft tabular-nums max-[30rem]:sr-only">
          {t('welcome.progress', { done: steps.filter(({ isDone }) => isDone).length, all: steps.length })}
        </p>
        <IconButton name={t('ui.close')} onClick={onClose}>
          <X size={16} />
        </IconButton>
      </div>
      <ul>
        {steps.map((step) => (
          <StepRow key={step.id} step={step} />
        ))}
      </ul>
    </section>
  )
}

/** It fades, then gives up its place, and is closed. */
type Stage = 'open' | 'faded' | 'folded' | 'closed'

interface Progress {
  isComplete: boolean
  wasOpen: boolean
  /** Whether a dialog of the card is open: it stays until then. */
  isHeld: boolean
}

/** Ends the welcome: some seconds after everything is done, when the card is closed, or when either happened elsewhere. */
function useEnding(channelId: string, { isComplete, wasOpen, isHeld }: Progress) {
  const { refreshTabs } = useIdentity()
  const isEnded = useMe().isWelcomed !== false
  const place = useRef<HTMLDivElement>(null)
  const [stage, setStage] = useState<Stage>('open')

  async function end(leave: () => Promise<void> | undefined) {
    try {
      // Stored first: if the page is reloaded meanwhile, the card does not come back.
      await Promise.all([call(endWelcome, {}), leave()])
      await refreshTabs()
    } catch (error) {
      // It comes back with the next page.
      console.error('Failed to end the welcome:', error)
    }
  }

  async function fold() {
    setStage('faded')
    await untilStill(place.current)
    // Messages at the end of the list take the place, so they move.
    await untilUnread()
    const { activeElement } = document
    if (place.current?.contains(activeElement) && matchMedia('(hover: hover)').matches) focusComposer(channelId)
    setStage('folded')
    await untilStill(place.current)
    setStage('closed')
  }

  const endByItself = useEffectEvent(() => {
    if (stage !== 'open') return
    if (isEnded) void fold()
    else void end(wasOpen ? fold : () => undefined)
  })
  const isOver = (isComplete || isEnded) && !isHeld
  useEffect(() => {
    if (!isOver) return
    const timer = setTimeout(endByItself, isComplete && wasOpen ? FAREWELL_MS : 0)
    return () => clearTimeout(timer)
  }, [isOver, isComplete, wasOpen])

  function close() {
    setStage('closed')
    void end(() => undefined)
    // The button disappears, so move the focus first.
    focusComposer(channelId)
  }

  return { place, stage, close }
}

function StepRow({ step: { name, Icon, isDone, act } }: { step: Step }) {
  return (
    <li>
      {/* Keeps the focus when it is done. */}
      <button
        type="button"
        aria-disabled={isDone}
        aria-label={isDone ? t('welcome.stepDone', { step: name }) : undefined}
        onClick={isDone ? undefined : act}
        className={`flex h-(--step) w-full items-center gap-2.5 rounded-s px-2 text-start text-ui ${isDone ? 'text-soft' : 'font-[550] text-ink hover:bg-hover active:bg-press'}`}
      >
        <span
          className={`grid size-6 flex-none place-items-center rounded-full ${isDone ? 'bg-pine text-on-pine' : 'bg-paper text-pine'}`}
        >
          {isDone ? <Check size={14} /> : <Icon size={14} />}
        </span>
        <span className="min-w-0 flex-1 truncate">{name}</span>
      </button>
    </li>
  )
}

/**
 * Three steps, each with what it opens, or two where this browser has no notifications; undefined until the server has
 * reported what is done.
 */
function useSteps(open: (load: LoadDialog) => void): { stepCount: number; steps: Step[] | undefined } {
  const me = useMe()
  const navigate = useNavigate()
  const { showSidebar } = useOutletContext<FrameContext>()
  const notifications = useNotificationState()
  const { data: channels = [] } = useQuery(sharedChannels)
  const general = channels.find(({ isGeneral }) => isGeneral)
  const joinable = channels.filter(({ isMember }) => !isMember).length
  const done = useDone(general, channels)
  const canNotify = notifications === 'on' || notifications === 'off'
  const isOwner = me.role === 'owner'
  const stepCount = canNotify || isOwner ? 3 : 2
  if (!done || !general) return { stepCount, steps: undefined }

  const sayHello: Step = {
    id: 'hello',
    name: t('welcome.sayHello', { channel: general.name }),
    Icon: MessageCircle,
    isDone: done.hasWritten,
    act: () => {
      void navigate(paths.channel(general.id))
      requestAnimationFrame(() => focusComposer(general.id))
    },
  }
  const invite: Step = {
    id: 'invite',
    name: t('welcome.invite'),
    Icon: UserPlus,
    isDone: done.hasCompany,
    act: () => open(workspaceDialog),
  }
  const isCreating = joinable === 0 && !done.hasJoined
  const findChannels: Step = {
    id: 'channels',
    name: isCreating ? t('welcome.createChannel') : findChannelsText(done.hasJoined ? 0 : joinable),
    Icon: isCreating ? Plus : Hash,
    isDone: done.hasJoined,
    act: () => {
      if (isCreating) return open(createChannel)
      setPreference('notJoined', 'shown')
      if (!wideScreen().matches) showSidebar()
      // Once they are rendered.
      requestAnimationFrame(() => requestAnimationFrame(focusNotJoined))
    },
  }
  const notify: Step = {
    id: 'notify',
    name: t('welcome.notify'),
    Icon: BellRing,
    isDone: notifications === 'on',
    act: () => void enableNotifications(),
  }
  const all = isOwner ? [invite, sayHello] : [sayHello, findChannels]
  if (canNotify) all.push(notify)
  else if (isOwner) all.push(findChannels)
  return { stepCount, steps: all }
}

/** The steps that I have done; undefined until the server has reported them. */
function useDone(general: Channel | undefined, channels: readonly Channel[]): FirstSteps | undefined {
  const me = useMe()
  const { data: done } = useQuery(firstSteps)
  // The window that the page of #general fetches: without a live connection, only that shows what I send.
  const { data: isInWindow = false } = useQuery({
    ...messagesIn(general?.id ?? ''),
    enabled: false,
    select: ({ messages }) => messages.some(({ userId, clientId }) => userId === me.id && clientId !== null),
  })
  const client = useQueryClient()
  // The message may leave the window later.
  useEffect(() => {
    if (isInWindow) noteFirstMessage(client)
  }, [client, isInWindow])
  if (!done) return undefined
  return {
    hasWritten: done.hasWritten || isInWindow,
    hasJoined: done.hasJoined || channels.some(({ isMember, isGeneral }) => isMember && !isGeneral),
    hasCompany: done.hasCompany || (general?._count.members ?? 0) > 1,
  }
}

/** Call when I may have created an invite in the dialog, because no event reports it. */
function refetchCompany(client: QueryClient) {
  if (client.getQueryData(firstSteps.queryKey)?.hasCompany) return
  client.fetchQuery({ ...firstSteps, staleTime: 0 }).catch((error) => {
    // The next page retries.
    console.error('Failed to fetch the first steps:', error)
  })
}

const findChannelsText = (count: number) =>
  count > 0 ? t('welcome.findChannelsCount', { count }) : t('welcome.findChannels')

function focusNotJoined() {
  const head = document.querySelector<HTMLElement>('[data-not-joined]')
  head?.scrollIntoView({ block: 'nearest' })
  head?.focus()
}
