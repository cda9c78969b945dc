import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { acceptImport, type Import, retryImport, startImport, undoImport } from '#contract/imports'
import { call, isRefusal } from '../../api-client/api.ts'
import { reasonText } from '../../api-client/failure-text.ts'
import { formatNumber } from '../../i18n/format.ts'
import { t } from '../../i18n/text.ts'
import { fileSize } from '../../ui/format/file-size.ts'
import { Button } from '../../ui/input/button.tsx'
import { LazyDialog } from '../../ui/lazy/lazy-dialog.tsx'
import { type Choices, ImportPlanView, planChoices } from './import-plan.tsx'
import { productName, stopText } from './import-texts.ts'
import { Progress } from './progress.tsx'

type Act = 'start' | 'retry' | 'accept' | 'undo'
const confirmDialog = () => import('../../ui/dialog/confirm-dialog.tsx')

/** The open import, with the owner's choices and actions. */
export function OpenImport({ item, onChanged }: { item: Import; onChanged: () => void }) {
  const { id, state, plan } = item
  const [choices, setChoices] = useState<Choices>({ channels: {}, people: {} })
  const [isAsking, setAsking] = useState(false)
  const acting = useMutation({
    mutationFn: (act: Act): Promise<Import> => {
      const params = { importId: id }
      if (act === 'start') return call(startImport, { params, body: planChoices(choices) })
      if (act === 'retry') return call(retryImport, { params })
      return act === 'accept' ? call(acceptImport, { params }) : call(undoImport, { params })
    },
    onError: (problem) => console.error('Failed to change import:', problem),
    onSettled: onChanged,
  })
  return (
    <div>
      <CurrentState item={item} isBusy={acting.isPending} onAct={acting.mutate} onAskToUndo={() => setAsking(true)} />
      {acting.error && (
        <p role="alert" className="mt-2 text-danger text-ui">
          {(isRefusal(acting.error) && reasonText(acting.error)) || t('imports.actFailed')}
        </p>
      )}
      {plan && (state === 'ready' || state === 'done') && (
        <ImportPlanView plan={plan} choices={state === 'ready' ? choices : undefined} onChoose={setChoices} />
      )}
      {isAsking && (
        <LazyDialog
          load={confirmDialog}
          title={t('imports.undoTitle')}
          action={t('imports.undo')}
          onConfirm={() => {
            setAsking(false)
            acting.mutate('undo')
          }}
          onClose={() => setAsking(false)}
        >
          {t('imports.undoText')}
        </LazyDialog>
      )}
    </div>
  )
}

interface StateProps {
  item: Import
  isBusy: boolean
  onAct: (act: Act) => void
  onAskToUndo: () => void
}

/** The progress or result of the import, with buttons for the possible actions. */
function CurrentState({ item, isBusy, onAct, onAskToUndo }: StateProps) {
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
      return <Running item={item} cancel={cancel} />
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
          <Button variant="line" isBusy={isBusy} onClick={() => onAct('undo')}>
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
            <Button variant="pine" isBusy={isBusy} onClick={() => onAct('start')}>
              {t('imports.start')}
            </Button>
            {cancel}
          </Head>
        )
      )
  }
}

function Running({ item: { messages, total }, cancel }: { item: Import; cancel: ReactNode }) {
  return (
    <>
      <Progress
        title={t('imports.running')}
        detail={t('imports.progress', { done: formatNumber(messages), total: formatNumber(total) })}
        value={messages}
        max={Math.max(total, 1)}
        action={cancel}
      />
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
