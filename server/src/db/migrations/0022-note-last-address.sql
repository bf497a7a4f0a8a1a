-- Notes the address of a user's last sign-in beside its time: an administrator asks for it also when all sessions have
-- ended, and with them the addresses that they carry.
set local lock_timeout = '1s';

alter table users add column last_ip text not null default '';
