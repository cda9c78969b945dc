import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { acceptImport, type Import, readTopics, retryImport, startImport, undoImport } from '#contract/imports'
import { call, isRefusal } from '../../api-client/api.ts'
import { fieldText, reasonText } from '../../api-client/failure-text.ts'
import { formatNumber } from '../../i18n/format.ts'
import { t } from '../../i18n/text.ts'
import { fileSize } from '../../ui/format/file-size.ts'
import { useRemaining } from '../../ui/format/remaining.ts'
import { Button } from '../../ui/input/button.tsx'
import { LazyDialog } from '../../ui/lazy/lazy-dialog.tsx'
import { type Choices, ImportPlanView, NO_CHOICES, planChoices, tokenOf } from './import-plan.tsx'
import { undoLosses } from './import-queries.ts'
import { productName, stopText } from './import-texts.ts'
import { Progress } from './progress.tsx'
import { SlackToken } from './slack-token.tsx'

type Act = 'start' | 'topics' | 'retry' | 'skip' | 'withoutFiles' | 'accept' | 'undo'
const confirmDialog = () => import('../../ui/dialog/confirm-dialog.tsx')

/** The open import, with the owner's choices and actions. */
export function OpenImport({ item, onChanged }: { item: Import; onChanged: () => void }) {
  const { id, state, plan } = item
  const [choices, setChoices] = useState(NO_CHOICES)
  const [token, setToken] = useState('')
  const [isAsking, setAsking] = useState(false)
  const acting = useMutation({
    networkMode: 'always',
    mutationFn: (act: Act) => perform(act, item, choices, token),
    onError: (problem) => console.error('Failed to change import:', problem),
    onSettled: onChanged,
  })
  const tokenProblem = fieldText(acting.error, 'slack.token')
  const problem = tokenProblem === undefined ? problemText(acting.error) : undefined
  const isTopics = acting.variables === 'topics'
  const { reset } = acting
  const acts = { item, isBusy: acting.isPending, onAct: acting.mutate }
  // biome-ignore lint/correctness/useExhaustiveDependencies: what failed in another state is over
  useEffect(() => {
    reset()
    setAsking(false)
    // Read again with other topics, an archive has the same people.
    if (!['ready', 'reading', 'failed'].includes(state)) setChoices(NO_CHOICES)
  }, [state])
  return (
    <div>
      <CurrentState
        {...acts}
        isOutdated={choices.topics !== undefined && choices.topics !== plan?.topics?.as}
        onAskToUndo={() => setAsking(true)}
      />
      <WaysOn
        {...acts}
        token={token}
        problem={tokenProblem}
        onType={(text) => {
          reset()
          setToken(text)
        }}
      />
      {problem && !isTopics && (
        <p role="alert" className="mt-2 text-danger text-ui">
          {problem}
        </p>
      )}
      {plan && ['reading', 'ready', 'done'].includes(state) && (
        <ImportPlanView
          plan={plan}
          format={item.format}
          choices={state === 'done' ? undefined : choices}
          tokenProblem={tokenProblem}
          onChoose={(chosen) => {
            reset()
            setChoices(chosen)
          }}
          reading={{
            isReading: acting.isPending || state === 'reading',
            problem: isTopics ? problem : undefined,
            onReadAgain: () => acting.mutate('topics'),
          }}
        />
      )}
      {isAsking && (
        <UndoDialog
          importId={id}
          onConfirm={() => {
            setAsking(false)
            acting.mutate('undo')
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  )
}

const problemText = (error: Error | null) =>
  error ? (isRefusal(error) && reasonText(error)) || t('imports.actFailed') : undefined

function perform(act: Act, item: Import, choices: Choices, token: string): Promise<Import> {
  const params = { importId: item.id }
  if (act === 'start') return call(startImport, { params, body: planChoices(item, choices) })
  if (act === 'topics') return call(readTopics, { params, body: { as: choices.topics ?? 'threads' } })
  if (act === 'withoutFiles') return call(retryImport, { params, body: { withoutFiles: true } })
  if (act === 'skip') return call(retryImport, { params, body: { slack: { skipsRefused: true } } })
  if (act === 'retry') return call(retryImport, { params, body: isRefused(item) ? { slack: tokenOf({ token }) } : {} })
  return act === 'accept' ? call(acceptImport, { params }) : call(undoImport, { params })
}

interface RefusedProps {
  token: string
  /** Why the token was refused. */
  problem: string | undefined
  isBusy: boolean
  onType: (token: string) => void
  onAct: (act: Act) => void
}

/** The ways on after Slack has refused files, or could not be reached. */
function WaysOn({ item, ...ways }: RefusedProps & { item: Import }) {
  if (isRefused(item)) return <Refused {...ways} />
  if (!isAway(item)) return null
  return (
    <Button variant="line" className="mt-4" isBusy={ways.isBusy} onClick={() => ways.onAct('withoutFiles')}>
      {t('imports.slack.without')}
    </Button>
  )
}

const Refused = ({ token, problem, isBusy, onType, onAct }: RefusedProps) => (
  <form
    className="mt-4 grid max-w-md gap-3"
    onSubmit={(event) => {
      event.preventDefault()
      onAct('retry')
    }}
  >
    <SlackToken value={token} error={problem} onChange={onType} />
    <Button variant="line" isBusy={isBusy} onClick={() => onAct('skip')}>
      {t('imports.slack.skip')}
    </Button>
  </form>
)

const UndoDialog = ({ importId, ...ways }: { importId: string; onConfirm: () => void; onClose: () => void }) => (
  <LazyDialog load={confirmDialog} title={t('imports.undoTitle')} action={t('imports.undo')} {...ways}>
    {t('imports.undoText')}
    <p role="status" className="mt-3 min-h-[3em]">
      <UndoLosses importId={importId} />
    </p>
  </LazyDialog>
)

/** What people would lose. */
function UndoLosses({ importId }: { importId: string }) {
  const { data: losses, error } = useQuery(undoLosses(importId))
  useEffect(() => {
    if (error) console.error('Failed to count what an undo would remove:', error)
  }, [error])
  if (!losses) return error ? t('imports.undoUncounted') : t('imports.undoCounting')
  return losses.messages + losses.reactions === 0
    ? t('imports.undoLosesNothing')
    : t('imports.undoLosses', { ...losses })
}

/** Whether Slack can't be reached. */
const isAway = ({ state, canRetry, problem }: Import) =>
  state === 'failed' && canRetry && problem?.reason === 'import.filesUnreachable'

/** Whether Slack refuses the files of the archive. */
const isRefused = ({ state, canRetry, problem }: Import) =>
  state === 'failed' && canRetry && problem?.reason === 'import.filesRefused'

interface StateProps {
  item: Import
  isBusy: boolean
  /** Whether the report doesn't say what was chosen, so that it has to be read again first. */
  isOutdated: boolean
  onAct: (act: Act) => void
  onAskToUndo: () => void
}

/** The progress or result of the import, with buttons for the possible actions. */
function CurrentState({ item, isBusy, isOutdated, onAct, onAskToUndo }: StateProps) {
  const cancel = (
    <Button isBusy={isBusy} onClick={() => onAct('undo')}>
      {t('imports.cancel')}
    </Button>
  )
  switch (item.state) {
    case 'reading': {
      const detail = t('imports.readSoFar', { count: item.messages })
      return <Progress title={t('imports.reading')} detail={detail} action={cancel} />
    }
    case 'running':
      return <Running item={item} isBusy={isBusy} onCancel={onAskToUndo} />
    case 'undoing':
      return <Progress title={t('imports.undoing')} detail={item.fileName} />
    case 'failed':
      return (
        <Head title={t('imports.failed')} item={item} text={stopText(item)} isProblem>
          {item.canRetry && (
            <Button variant="pine" isBusy={isBusy} onClick={() => onAct('retry')}>
              {t('imports.retry')}
            </Button>
          )}
          <Button variant="line" isBusy={isBusy} onClick={() => (item.plan ? onAskToUndo() : onAct('undo'))}>
            {t('imports.remove')}
          </Button>
        </Head>
      )
    case 'done':
      return (
        <Head title={t('imports.done')} item={item} text={t('imports.doneHint')}>
          <Button variant="pine" isBusy={isBusy} onClick={() => onAct('accept')}>
            {t('imports.keep')}
          </Button>
          <Button variant="line" isBusy={isBusy} onClick={onAskToUndo}>
            {t('imports.undo')}
          </Button>
        </Head>
      )
    case 'ready':
      return (
        item.plan && (
          <Head title={t('imports.ready')} item={item}>
            {!isOutdated && (
              <Button variant="pine" isBusy={isBusy} onClick={() => onAct('start')}>
                {t('imports.start')}
              </Button>
            )}
            {cancel}
          </Head>
        )
      )
  }
}

function Running({ item, isBusy, onCancel }: { item: Import; isBusy: boolean; onCancel: () => void }) {
  const { messages, total, plan } = item
  const left = plan?.linked?.files ?? 0
  const progress = t('imports.progress', { done: formatNumber(messages), total: formatNumber(total) })
  const remaining = useRemaining(messages, total)
  return (
    <>
      <Progress
        title={t('imports.running')}
        detail={remaining ? `${progress} · ${remaining}` : progress}
        value={messages}
        max={Math.max(total, 1)}
        action={
          <Button isBusy={isBusy} onClick={onCancel}>
            {t('imports.cancel')}
          </Button>
        }
      />
      {left > 0 && <p className="mt-2 text-meta text-soft">{t('imports.slack.left', { count: left })}</p>}
      <p className="mt-2 max-w-prose text-pretty text-meta text-soft">{t('imports.runningHint')}</p>
    </>
  )
}

interface HeadProps {
  title: string
  item: Import
  text?: string
  isProblem?: boolean
  children: ReactNode
}

function Head({ title, item: { fileName, size, format }, text, isProblem = false, children }: HeadProps) {
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="min-w-0 flex-1 basis-72">
        <h3 className="font-[620] text-body">{title}</h3>
        <p className="mt-0.5 truncate text-meta text-soft">
          <bdi>{fileName}</bdi>
          {' · '}
          {[productName(format), fileSize(size)].filter(Boolean).join(' · ')}
        </p>
        {text && (
          <p
            role={isProblem ? 'alert' : undefined}
            className={`mt-2 max-w-prose text-pretty text-ui ${isProblem ? 'text-danger' : 'text-soft'}`}
          >
            {text}
          </p>
        )}
      </div>
      <div className="flex flex-none gap-2">{children}</div>
    </div>
  )
}
