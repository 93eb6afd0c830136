DROP INDEX sign_ups_by_email;
