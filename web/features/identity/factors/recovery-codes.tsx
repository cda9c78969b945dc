import { Check, Copy, Download } from 'lucide-react'
import { useState } from 'react'
import { t } from '../../../i18n/text.ts'
import { copyText } from '../../../ui/device/copy-text.ts'
import { Button } from '../../../ui/input/button.tsx'

/** Recovery codes, which are shown only now. */
export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const [isCopied, setCopied] = useState<boolean>()
  const text = `${codes.join('\n')}\n`
  const copy = () =>
    copyText(text).then(
      () => setCopied(true),
      (error) => {
        console.error('Failed to copy:', error)
        setCopied(false)
      },
    )

  return (
    <div className="flex flex-col gap-3">
      <p role="status" className="text-pretty text-soft text-ui">
        {t('twoFactor.keepCodes')}
      </p>
      <ul
        aria-label={t('twoFactor.recoveryCodes')}
        dir="ltr"
        className="grid grid-cols-2 gap-x-6 gap-y-1.5 rounded-m bg-sunk p-4 font-mono text-ui"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      {isCopied === false && <p className="text-danger text-meta">{t('identity.invites.copyBlocked')}</p>}
      <div className="flex flex-wrap gap-2">
        <Button variant="line" className="pointer-coarse:h-11" onClick={copy}>
          {isCopied ? <Check size={14} /> : <Copy size={14} />}
          {isCopied ? t('ui.copied') : t('ui.copy')}
        </Button>
        <a
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
          download="parley-recovery-codes.txt"
          className="inline-flex h-8 pointer-coarse:h-11 items-center gap-1.5 rounded-s border border-line-strong bg-paper px-3 font-[550] text-ui hover:bg-hover"
        >
          <Download size={14} />
          {t('twoFactor.download')}
        </a>
        <Button variant="pine" className="ms-auto pointer-coarse:h-11" autoFocus onClick={onDone}>
          {t('twoFactor.kept')}
        </Button>
      </div>
    </div>
  )
}
