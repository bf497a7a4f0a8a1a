-- Marks the sessions whose sign-in has sessions in other tenants. The end of any other session concerns its tenant alone:
-- on Citus it does not ask every node. Of the sessions that stand nobody knows.
set local lock_timeout = '1s';

alter table sessions add column is_shared boolean not null default true;
alter table sessions alter column is_shared set default false;
