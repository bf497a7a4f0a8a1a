import { BrandingForm } from './branding-form.tsx'
import { branding, mail, portal, type FormsProps } from './known-settings.ts'
import { MailForm } from './mail-form.tsx'
import { PortalForm } from './portal-form.tsx'

export const BrandingSection = ({ scope, settingOf }: FormsProps) =>
  scope === 'tenant' ? (
    <BrandingForm setting={settingOf(branding.key)} />
  ) : (
    <>
      <MailForm setting={settingOf(mail.key)} />
      <PortalForm setting={settingOf(portal.key)} />
    </>
  )
