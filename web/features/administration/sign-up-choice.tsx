import type { SignUpMode } from '#contract/identity'
import { t } from '../../i18n/text.ts'
import { signUpName } from '../../people/sign-up-names.ts'
import { RadioGroup } from '../../ui/input/radio-group.tsx'

interface Props {
  value: SignUpMode
  onChoose: (value: SignUpMode) => void
}

/** Chooses who may sign up. */
export function SignUpChoice({ value, onChoose }: Props) {
  return (
    <div>
      <RadioGroup
        legend={t('signUpRule.title')}
        name="sign-up"
        options={{
          open: { name: signUpName('open') },
          invite: { name: signUpName('invite') },
          closed: { name: signUpName('closed') },
        }}
        value={value}
        onChoose={onChoose}
      />
      <p className="mt-1.5 text-pretty text-faint text-meta">
        {value === 'open' && t('signUpRule.openHint')}
        {value === 'invite' && t('signUpRule.inviteHint')}
        {value === 'closed' && t('signUpRule.closedHint')}
      </p>
    </div>
  )
}

/** The rule in place of the choice, if the server's settings decide. */
export function FixedSignUp({ mode }: { mode: SignUpMode }) {
  return (
    <div className="text-ui">
      <p className="mb-1.5 font-[550]">{t('signUpRule.title')}</p>
      <p className="text-pretty text-soft">{t('signUpRule.fixed', { rule: signUpName(mode) })}</p>
    </div>
  )
}
