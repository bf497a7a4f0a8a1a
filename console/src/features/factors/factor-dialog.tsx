import { useState, type ReactNode } from 'react'
import { useTranslation } from '../../translation.ts'
import { Dialog } from '../../components/dialog.tsx'
import { useLeaveQuestion } from '../../components/leave-question.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { useRenewFactors } from './factors.queries.ts'
import { RecoveryCodes } from './recovery-codes.tsx'

interface FactorDialogProps {
  title: string
  /** The new recovery codes, which take the place of the form. */
  codes: string[] | undefined
  onClose: () => void
  children: ReactNode
}

/** A window with a form, which shows recovery codes this once. They are only in the state of one component. */
export const FactorDialog = ({ title, codes, onClose, children }: FactorDialogProps) => {
  const { t } = useTranslation()
  const [isKept, setKept] = useState(false)
  const isHeld = codes !== undefined && !isKept
  const { ask, element } = useLeaveQuestion({
    isHeld,
    isWindow: true,
    title: t('factors.unkeptTitle'),
    confirm: t('factors.closeUnkept'),
    children: t('factors.unkeptText'),
  })
  const close = async (): Promise<void> => {
    if (!isHeld || (await ask())) onClose()
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

/** Ends a change: the window shows the codes that came with it, or closes. */
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
