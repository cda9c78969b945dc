import { Check } from 'lucide-react'
import type { ComponentProps } from 'react'

export function Checkbox({ label, hint, ...input }: ComponentProps<'input'> & { label: string; hint?: string }) {
  return (
    <label className="flex gap-3 text-ui pointer-coarse:min-h-11">
      <span className="relative mt-px grid size-[18px] flex-none place-items-center">
        <input
          type="checkbox"
          className="peer size-full appearance-none rounded-[5px] border border-line-control bg-paper checked:border-pine checked:bg-pine"
          {...input}
        />
        <Check
          size={13}
          strokeWidth={2.5}
          className="pointer-events-none absolute hidden text-on-pine peer-checked:block"
        />
      </span>
      <span>
        {label}
        {hint && <small className="block text-pretty text-faint text-meta">{hint}</small>}
      </span>
    </label>
  )
}
