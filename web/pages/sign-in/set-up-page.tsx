import { useMutation, useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useEffect, useState } from 'react'
import type { CallOf } from '#contract/endpoint'
import { limits } from '#contract/limits'
import { type SignUpRule, setUpWorkspace } from '#contract/workspace'
import { call } from '../../api-client/api.ts'
import { failureText, fieldText } from '../../api-client/failure-text.ts'
import { PRODUCT } from '../../browser/tab-title.ts'
import { demoState, signUpRule } from '../../features/administration/administration-queries.ts'
import { FillDemo } from '../../features/administration/fill-demo.tsx'
import { FixedSignUp, SignUpChoice } from '../../features/administration/sign-up-choice.tsx'
import { AuthLayout } from '../../features/identity/auth-layout.tsx'
import { NewInvite } from '../../features/identity/new-invite.tsx'
import { OrLine } from '../../features/identity/or-line.tsx'
import { t } from '../../i18n/text.ts'
import { loadSignOut, useIdentity, useWorkspaceName } from '../../me.tsx'
import { LoadError } from '../../ui/feedback/load-error.tsx'
import { FullPageSpinner } from '../../ui/feedback/spinner.tsx'
import { Button } from '../../ui/input/button.tsx'
import { Field } from '../../ui/input/field.tsx'

const FORM = 'set-up'

/** The owner's first screen: what the workspace is called, who may sign up, and a link for the first people. */
export default function SetUpPage() {
  const { data: rule, error, refetch } = useQuery(signUpRule)
  useEffect(() => {
    if (error) console.error('Failed to load who may sign up:', error)
  }, [error])
  if (!rule && !error) return <FullPageSpinner>{t('app.loading')}</FullPageSpinner>
  return (
    <AuthLayout title={t('setUp.title')} subtitle={t('setUp.subtitle')}>
      {rule ? (
        <Choices rule={rule} />
      ) : (
        <LoadError text={t('signUpRule.loadFailed')} retry={() => void refetch()} isRetried />
      )}
      <SignOut />
    </AuthLayout>
  )
}

function Choices({ rule }: { rule: SignUpRule }) {
  const { refreshTabs } = useIdentity()
  const current = useWorkspaceName()
  const [name, setName] = useState(current === PRODUCT ? '' : current)
  const [mode, setMode] = useState(rule.signUp)
  const saving = useMutation({
    mutationFn: async (body: CallOf<typeof setUpWorkspace>['body']) => {
      await call(setUpWorkspace, { body })
      // Shows the workspace.
      if (!(await refreshTabs())) throw new Error('The session could not be read')
    },
    onError: (failure) => console.error('Failed to set up the workspace:', failure),
  })
  const problem = fieldText(saving.error, 'name')

  function submit(event: SubmitEvent) {
    event.preventDefault()
    const named = name.trim() !== '' && { name }
    if (!saving.isPending) saving.mutate({ ...named, ...(!rule.isFixed && { signUp: mode }) })
  }

  return (
    <>
      <form id={FORM} className="grid gap-6" onSubmit={submit}>
        <Field
          label={t('setUp.name')}
          note={t('signUp.optional')}
          hint={t('workspace.nameHint')}
          error={problem}
          dir="auto"
          maxLength={limits.workspaceName}
          autoFocus
          autoComplete="organization"
          placeholder={PRODUCT}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        {rule.isFixed ? <FixedSignUp mode={mode} /> : <SignUpChoice value={mode} onChoose={setMode} />}
      </form>
      {/* Hidden only, because it shows a link that can't be shown again. */}
      <section className="mt-6" aria-labelledby="set-up-invite" hidden={mode === 'closed'}>
        <h2 id="set-up-invite" className="mb-1.5 font-[550] text-ui">
          {t('setUp.invite')}
        </h2>
        <NewInvite isAside />
      </section>
      <Button
        type="submit"
        form={FORM}
        variant="pine"
        className="mt-8 h-10 w-full text-[0.875rem]"
        isBusy={saving.isPending}
      >
        {t('setUp.action')}
      </Button>
      {saving.error && !problem && (
        <p role="alert" className="mt-2 text-danger text-ui">
          {failureText(t('setUp.failed'), saving.error)}
        </p>
      )}
      <DemoOffer />
    </>
  )
}

/** For a workspace in which nobody else is. */
function DemoOffer() {
  const { data: demo } = useQuery(demoState)
  if (!demo?.canFill && !demo?.state) return null
  return (
    <>
      <OrLine />
      <FillDemo />
    </>
  )
}

function SignOut() {
  const { leave } = useIdentity()
  async function signOut() {
    const { signOut } = await loadSignOut()
    await signOut(leave)
  }
  return (
    <Button className="-ms-3 mt-6" onClick={() => void signOut()}>
      {t('identity.signOut.button')}
    </Button>
  )
}
