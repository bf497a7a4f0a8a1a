import { Text } from '@mantine/core'
import { accentOf } from '../../hosted/accent.ts'
import { useTranslation } from '../../translation.ts'

/** As the setting holds it; "" for a field that it omits. */
export type MailValues = {
  product: string
  from_name: string
  color: string
  /** A data URL. */
  logo: string
  support_url: string
  footer: string
  new_device_notice: boolean
}

const Line = ({ children }: { children: string }) => (
  <Text size="xs" c="dimmed" className="breakable">
    {children}
  </Text>
)

export const MailPreview = ({ mail }: { mail: MailValues }) => {
  const { t } = useTranslation()
  const { product, from_name: fromName, color, logo, support_url: support, footer } = mail
  const name = product || 'Tenantry'
  return (
    <figure className="branding-preview" aria-label={t('settings.mailPreview')}>
      <Line>{t('settings.mailSampleFrom', { name: fromName || 'Tenantry' })}</Line>
      {logo !== '' && (
        <div className="branding-brand">
          <img src={logo} alt={name} />
        </div>
      )}
      {logo === '' && product !== '' && (
        <Text fw={600} className="breakable">
          {product}
        </Text>
      )}
      <Text fw={600} size="lg">
        {t('settings.mailSampleTitle')}
      </Text>
      <Text size="sm">{t('settings.mailSampleText')}</Text>
      <div className="branding-button mail-button" style={accentOf(color)}>
        {t('settings.mailSampleButton')}
      </div>
      <div>
        <Line>{t('settings.mailSampleSender', { name })}</Line>
        {footer !== '' && <Line>{footer}</Line>}
        {support !== '' && <Line>{t('settings.mailSampleHelp', { url: support })}</Line>}
      </div>
    </figure>
  )
}
