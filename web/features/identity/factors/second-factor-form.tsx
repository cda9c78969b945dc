import { useState } from 'react'
import { t } from '../../../i18n/text.ts'
import { giveSecondFactor } from '../../../session/sign-in.ts'
import { Button } from '../../../ui/input/button.tsx'
import { Field } from '../../../ui/input/field.tsx'
import { AuthForm } from '../auth-form.tsx'
import { AuthLayout } from '../auth-layout.tsx'
import { sentenceOf } from '../identity-errors.ts'

/** The second step of signing in. @param onBack returns to the first one */
export function SecondFactorForm({ onBack }: { onBack: () => void }) {
  const [isRecovery, setRecovery] = useState(false)
  return (
    <AuthLayout
      title={t('signIn.code.title')}
      subtitle={t(isRecovery ? 'signIn.code.recoveryText' : 'signIn.code.text')}
    >
      <AuthForm
        key={String(isRecovery)}
        action={t('signIn.action')}
        busyAction={t('signIn.busy')}
        check={({ code = '' }) => (code.trim() === '' ? { code: sentenceOf('CODE_MISSING') } : {})}
        submit={({ code = '' }) => giveSecondFactor(code, isRecovery)}
      >
        {(errors) => (
          <Field
            label={t(isRecovery ? 'signIn.code.recovery' : 'signIn.code.label')}
            name="code"
            dir="ltr"
            required
            autoFocus
            autoComplete={isRecovery ? 'off' : 'one-time-code'}
            inputMode={isRecovery ? 'text' : 'numeric'}
            spellCheck={false}
            autoCapitalize="none"
            maxLength={32}
            error={errors['code']}
          />
        )}
      </AuthForm>
      <div className="mt-4 flex flex-wrap justify-between gap-2">
        <Button className="-ms-3" onClick={() => setRecovery(!isRecovery)}>
          {t(isRecovery ? 'signIn.code.useApp' : 'signIn.code.useRecovery')}
        </Button>
        <Button className="-me-3" onClick={onBack}>
          {t('signIn.code.back')}
        </Button>
      </div>
    </AuthLayout>
  )
}
