import { Switch } from '@mantine/core'
import type { Flag } from '@tenantry/client'
import { useState } from 'react'
import { ConfirmChange } from '../../components/confirm-change.tsx'
import { useTranslation } from '../../translation.ts'
import { updateFlag } from './flags.queries.ts'

interface FlagSwitchProps {
  flag: Flag
  isReadOnly: boolean
}

/** Enables and disables a flag, and asks first: products of every tenant follow at once. */
export const FlagSwitch = ({ flag, isReadOnly }: FlagSwitchProps) => {
  const { t } = useTranslation()
  const [isAsked, setAsked] = useState(false)
  const { key, enabled, off_variant: variant, default_variant: defaultVariant } = flag
  return (
    <>
      <Switch
        className="over-row-link"
        checked={enabled}
        disabled={isReadOnly}
        label={t(enabled ? 'common.enabled' : 'common.disabled')}
        aria-label={t('flags.switch', { key })}
        onChange={() => setAsked(true)}
      />
      {isAsked && (
        <ConfirmChange
          title={t(enabled ? 'flags.disableOne' : 'flags.enableOne', { key })}
          confirm={t(enabled ? 'flags.disable' : 'flags.enable')}
          {...(!enabled && { color: 'accent' })}
          send={() => updateFlag(flag, { enabled: !enabled })}
          done={t(enabled ? 'flags.disabled' : 'flags.enabled')}
          onClose={() => setAsked(false)}
        >
          {t(enabled ? 'flags.disableText' : 'flags.enableText', { variant, defaultVariant })}
        </ConfirmChange>
      )}
    </>
  )
}
