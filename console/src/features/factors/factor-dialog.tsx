import { useState, type ReactNode } from 'react'
import { useTranslation } from '../../translation.ts'
import { Dialog } from '../../components/dialog.tsx'
import { useLeaveQuestion } from '../../components/leave-question.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { useRenewFactors } from './factors.queries.ts'
import { RecoveryCodes } from './recovery-codes.tsx'

interface FactorDialogProps {
  title: string
  /** The new recovery codes, which replace the form. */
  codes: string[] | undefined
  onClose: () => void
  children: ReactNode
}

/** A window with a form, which then shows recovery codes once. Only the state of one component holds them. */
export const FactorDialog = ({ title, codes, onClose, children }: FactorDialogProps) => {
  const { t } = useTranslation()
  const [isKept, setKept] = useState(false)
  const isUnsaved = codes !== undefined && !isKept
  const { ask, element } = useLeaveQuestion({
    isUnsaved,
    isWindow: true,
    title: t('factors.unkeptTitle'),
    confirm: t('factors.closeUnkept'),
    children: t('factors.unkeptText'),
  })
  const close = async (): Promise<void> => {
    if (!isUnsaved || (await ask())) onClose()
  }
  return (
    <>
      <Dialog
        opened
        onClose={() => void close()}
        title={codes ? t('factors.codes') : title}
        closeOnClickOutside={false}
      >
        {codes ? (
          <RecoveryCodes codes={codes} onKept={() => setKept(true)} onClose={() => void close()} />
        ) : (
          children
        )}
      </Dialog>
      {element}
    </>
  )
}

/** Ends a change: the window shows its new codes, or closes if there are none. */
export const useOutcome = (onClose: () => void) => {
  const notify = useNotify()
  const renew = useRenewFactors()
  const [codes, setCodes] = useState<string[]>()
  const finish = async (given: string[], done?: string): Promise<void> => {
    if (given.length > 0) setCodes(given)
    else onClose()
    if (done !== undefined) notify(done)
    await renew()
  }
  return { codes, finish }
}
